/// The reason why there is no answer, or why it ended early.
public struct TransportError: CodedError, Sendable {
    /// The kind of failure, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in the description.
        public let name: String
        /// Creates a code from its name.
        public init(_ name: String) { self.name = name }

        /// The server refused the connection, or it can't be reached.
        public static let connectionFailed = Self("connectionFailed")
        /// The host name has no address.
        public static let hostNotFound = Self("hostNotFound")
        /// The device has no network.
        public static let offline = Self("offline")
        /// The connection was lost before the answer was complete.
        ///
        /// This includes a body that is shorter than announced.
        public static let connectionLost = Self("connectionLost")
        /// The answer was not complete within the request's `timeout`.
        public static let timedOut = Self("timedOut")
        /// No secure connection could be made.
        ///
        /// The certificate is not trusted, or there is no common protocol.
        public static let tlsFailed = Self("tlsFailed")
        /// The server has none of the keys that are pinned for its host.
        ///
        /// `cause` is a ``PublicKeyMismatch``. The code is also used if the transport can't find
        /// out the key. See ``PublicKeyPins``.
        public static let pinningFailed = Self("pinningFailed")
        /// The task was cancelled or the body was released.
        public static let cancelled = Self("cancelled")
        /// The request is invalid: an unsupported scheme, no host, or a malformed URL.
        public static let invalidRequest = Self("invalidRequest")
        /// The answer is not HTTP, or breaks its rules.
        public static let invalidResponse = Self("invalidResponse")
        /// The local file is missing or unreadable.
        public static let fileUnreadable = Self("fileUnreadable")
        /// The body is longer than the reader allows.
        public static let tooLarge = Self("tooLarge")
        /// The origin answered 500, 502, 503 or 504, and an older answer is stored.
        ///
        /// `response` has the head of the origin's answer.
        public static let serverFailed = Self("serverFailed")
        /// The request asked for stored answers only, and there is no usable one.
        public static let nothingKept = Self("nothingKept")
        /// There were too many redirects, or a redirect loop.
        public static let tooManyRedirects = Self("tooManyRedirects")
        /// A redirect must not be followed: from https to http, or to another protocol.
        public static let unsafeRedirect = Self("unsafeRedirect")
        /// The credential was not available, or could not be refreshed after a 401.
        ///
        /// `cause` has the reason. This is a failure and not an answer, so a stored answer may be
        /// used.
        public static let credentialUnavailable = Self("credentialUnavailable")
        /// The request must be sent again, but its body can be sent only once.
        public static let bodyNotReplayable = Self("bodyNotReplayable")
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the found state, its place, and the remedy.
    public let message: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?
    /// The head of the answer that counts as a failure, if there was one.
    public let response: HTTPResponse?

    /// Creates an error.
    public init(_ code: Code, message: String, cause: (any Error)? = nil, response: HTTPResponse? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.response = response
    }

    /// Whether the same request may succeed a moment later.
    public var isTransient: Bool {
        switch code {
        case .connectionFailed, .hostNotFound, .offline, .connectionLost, .timedOut, .serverFailed: true
        default: false
        }
    }
}

extension HTTPResponse.Status {
    /// Whether the server failed to answer: 500, 502, 503 or 504.
    ///
    /// A kept value may then be used. Any other error status is an answer.
    package var isServerFailure: Bool {
        switch code {
        case 500, 502, 503, 504: true
        default: false
        }
    }
}
