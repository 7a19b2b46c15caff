/// The reason why a read has no newer value, or no value at all.
public struct ReadFailure: CodedError, Sendable {
    /// The kind of failure, as an extensible name.
    ///
    /// A transport failure has the name of its ``TransportError/Code``.
    public struct Code: ErrorCode {
        /// The name, as in the description.
        public let name: String
        /// Creates a code from its name.
        public init(_ name: String) { self.name = name }

        /// No connection to the server could be made.
        public static let connectionFailed = Self(TransportError.Code.connectionFailed.name)
        /// The host name could not be resolved.
        public static let hostNotFound = Self(TransportError.Code.hostNotFound.name)
        /// There is no network.
        public static let offline = Self(TransportError.Code.offline.name)
        /// The connection was lost before the answer was complete.
        public static let connectionLost = Self(TransportError.Code.connectionLost.name)
        /// The request exceeded a time limit.
        public static let timedOut = Self(TransportError.Code.timedOut.name)
        /// The read was cancelled.
        public static let cancelled = Self(TransportError.Code.cancelled.name)
        /// The credential was not available, or could not be refreshed after a 401.
        ///
        /// The cause's `cause` has the reason. This is a failure and not an answer, so a kept value
        /// may stand beside it.
        public static let credentialUnavailable = Self(TransportError.Code.credentialUnavailable.name)
        /// The request must be sent again, but its body can be sent only once.
        public static let bodyNotReplayable = Self(TransportError.Code.bodyNotReplayable.name)
        /// A file to send or read is missing, unreadable or was changed.
        public static let fileUnreadable = Self(TransportError.Code.fileUnreadable.name)
        /// A file could not be written: no such folder, no permission or no space.
        public static let fileUnwritable = Self("fileUnwritable")
        /// The read asked for kept values only, and there is none.
        public static let nothingKept = Self(TransportError.Code.nothingKept.name)
        /// The body is longer than the request allows.
        public static let tooLarge = Self(TransportError.Code.tooLarge.name)
        /// The request is invalid and was not sent.
        public static let invalidRequest = Self(TransportError.Code.invalidRequest.name)
        /// The server answered with an error status.
        ///
        /// See ``ReadFailure/response`` and ``ReadFailure/excerpt``.
        public static let status = Self("status")
        /// The model no longer exists at the service, and its kept value is removed.
        ///
        /// A source of the app throws it. Over HTTP the status has this meaning.
        public static let gone = Self("gone")
        /// The answer lacks a body, or the data of GraphQL, although one was expected.
        public static let noData = Self("noData")
        /// The body can't be decoded as the payload.
        public static let undecodable = Self("undecodable")
        /// The payload can't be mapped to the model.
        public static let unmappable = Self("unmappable")
        /// The source does not support this operation, such as a list.
        public static let unsupported = Self("unsupported")
        /// A source made of closures threw an error; see `cause`.
        public static let sourceFailed = Self("sourceFailed")
        /// The store is the only source and could not be read; see `cause`.
        public static let storeFailed = Self("storeFailed")
        /// The service returns pages without an end.
        ///
        /// It repeated a page, or returned many pages without new items.
        public static let endlessPages = Self("endlessPages")
        /// The repository was closed.
        public static let closed = Self("closed")
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the found state, its place, and the remedy.
    public let message: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?
    /// The head of the answer that failed the read, if there was one.
    public let response: HTTPResponse?
    /// The first bytes of that answer's body, at most 4 KiB.
    public let excerpt: [UInt8]
    /// The failures of the other sources of the read, in the order of the requests.
    public let others: [ReadFailure]

    /// Creates a failure.
    public init(
        _ code: Code, message: String, cause: (any Error)? = nil, response: HTTPResponse? = nil, excerpt: [UInt8] = [],
        others: [ReadFailure] = []
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.response = response
        self.excerpt = excerpt
        self.others = others
    }

    /// Creates a failure from a transport's failure.
    ///
    /// A server failure becomes ``Code/status``, the same code as without a kept value.
    public init(_ error: TransportError) {
        self.init(
            error.code == .serverFailed ? .status : Code(error.code.name),
            message: error.message, cause: error, response: error.response
        )
    }

    /// Whether the service gave an answer that must not be masked by a kept value.
    ///
    /// Such an answer is ``Code/gone`` or an error status other than 500, 502, 503 and 504.
    public var isAnswer: Bool {
        if code == .gone { return true }
        guard code == .status, let response else { return false }
        // A 503 is a failure like a lost connection: a kept value may stand beside it.
        return !response.status.isServerFailure
    }

    /// Returns this failure with the failure of another source added.
    ///
    /// ``Code/nothingKept`` is not added, because it says nothing about the other source.
    package func with(other: ReadFailure?) -> ReadFailure {
        guard let other, other.code != .nothingKept else { return self }
        return ReadFailure(
            code, message: message, cause: cause, response: response, excerpt: excerpt, others: others + [other])
    }
}

extension ReadFailure: Equatable {
    /// Compares all but the causes, since most errors can't be compared.
    public static func == (a: Self, b: Self) -> Bool {
        a.code == b.code && a.message == b.message && a.response == b.response && a.excerpt == b.excerpt
            && a.others == b.others
    }
}

extension ReadFailure {
    public var description: String { (["\(code): \(message)"] + others.map(\.description)).joined(separator: "; ") }
}
