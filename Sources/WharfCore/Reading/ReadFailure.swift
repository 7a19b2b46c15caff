/// Why a read could not give a newer value, or any.
public struct ReadFailure: Error, Sendable {
    /// What went wrong, as an extensible name. A transport failure keeps the name of its
    /// ``TransportError/Code``.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        public static let connectionFailed = Self(TransportError.Code.connectionFailed.name)
        public static let hostNotFound = Self(TransportError.Code.hostNotFound.name)
        public static let offline = Self(TransportError.Code.offline.name)
        public static let connectionLost = Self(TransportError.Code.connectionLost.name)
        public static let timedOut = Self(TransportError.Code.timedOut.name)
        public static let cancelled = Self(TransportError.Code.cancelled.name)
        /// The credential could not be had, or not refreshed after a 401; the cause's `cause` says
        /// why. A failure and no answer: what is kept may stand beside it.
        public static let credentialUnavailable = Self(TransportError.Code.credentialUnavailable.name)
        /// The request has to be sent again, and its body can be sent only once.
        public static let bodyNotReplayable = Self(TransportError.Code.bodyNotReplayable.name)
        /// A file to be sent or read is not there, can't be read, or was changed.
        public static let fileUnreadable = Self(TransportError.Code.fileUnreadable.name)
        /// A file could not be written: no such folder, no permission, no space.
        public static let fileUnwritable = Self("fileUnwritable")
        /// Only kept values were asked for, and none is kept.
        public static let nothingKept = Self(TransportError.Code.nothingKept.name)
        /// The body is longer than the request allows.
        public static let tooLarge = Self(TransportError.Code.tooLarge.name)
        /// The request can't be sent as it is.
        public static let invalidRequest = Self(TransportError.Code.invalidRequest.name)
        /// The server answered with an error status; see ``ReadFailure/response`` and
        /// ``ReadFailure/excerpt``.
        public static let status = Self("status")
        /// The service has no such model any more; over HTTP the status says so instead. What is
        /// kept of it goes. For a source of an app's own to throw.
        public static let gone = Self("gone")
        /// The answer has no body, or one of GraphQL no data, and that was expected.
        public static let noData = Self("noData")
        /// The body does not decode as the payload.
        public static let undecodable = Self("undecodable")
        /// The payload does not map to the model.
        public static let unmappable = Self("unmappable")
        /// The source does not offer this: a list, for one.
        public static let unsupported = Self("unsupported")
        /// What a source given as a closure threw; see `cause`.
        public static let sourceFailed = Self("sourceFailed")
        /// The store that is the only source could not be read; see `cause`.
        public static let storeFailed = Self("storeFailed")
        /// The service gives page after page without an end: one that was there already, or many
        /// without anything new.
        public static let endlessPages = Self("endlessPages")
        /// The repository was closed.
        public static let closed = Self("closed")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do.
    public let message: String
    public let cause: (any Error)?
    /// The head of the answer that failed the read, where there was one.
    public let response: HTTPResponse?
    /// The beginning of that answer's body, at most 4 KiB.
    public let excerpt: [UInt8]
    /// Why those that were asked as well had nothing either, in the order in which they were asked.
    public let others: [ReadFailure]

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

    /// A transport's failure as a read's. A server failure becomes ``Code/status``, as it would
    /// without anything kept.
    public init(_ error: TransportError) {
        self.init(
            error.code == .serverFailed ? .status : Code(error.code.name),
            message: error.message, cause: error, response: error.response
        )
    }

    /// True when the service gave an answer that no kept value may mask: an error status other than
    /// 500, 502, 503, 504, or ``Code/gone``.
    public var isAnswer: Bool {
        if code == .gone { return true }
        guard code == .status, let response else { return false }
        return !response.status.isServerFailure
    }

    /// The same, with why another had nothing either. That nothing was kept there says nothing.
    package func with(other: ReadFailure?) -> ReadFailure {
        guard let other, other.code != .nothingKept else { return self }
        return ReadFailure(
            code, message: message, cause: cause, response: response, excerpt: excerpt, others: others + [other])
    }
}

extension ReadFailure: Equatable {
    /// Causes are not compared: most errors can't be.
    public static func == (a: Self, b: Self) -> Bool {
        a.code == b.code && a.message == b.message && a.response == b.response && a.excerpt == b.excerpt
            && a.others == b.others
    }
}

extension ReadFailure: CustomStringConvertible {
    public var description: String { (["\(code): \(message)"] + others.map(\.description)).joined(separator: "; ") }
}
