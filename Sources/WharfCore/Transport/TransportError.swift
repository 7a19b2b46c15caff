/// Why no answer came, or why it ended early.
public struct TransportError: Error, Sendable {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// Nobody listens there, or the way there is closed.
        public static let connectionFailed = Self("connectionFailed")
        /// The host's name has no address.
        public static let hostNotFound = Self("hostNotFound")
        /// The device has no network.
        public static let offline = Self("offline")
        /// The connection broke before the answer was complete, or the body was shorter than
        /// announced.
        public static let connectionLost = Self("connectionLost")
        /// The answer was not complete within the request's `timeout`.
        public static let timedOut = Self("timedOut")
        /// No secure connection could be made: a certificate that is not trusted, or no common
        /// protocol.
        public static let tlsFailed = Self("tlsFailed")
        /// The server showed none of the keys that are pinned for its host (`cause` is a
        /// ``PublicKeyMismatch``), or the transport can't find out which it has. See
        /// ``PublicKeyPins``.
        public static let pinningFailed = Self("pinningFailed")
        /// The task was cancelled, or the body let go.
        public static let cancelled = Self("cancelled")
        /// The request can't be sent as it is: a scheme that is not served, no host, a malformed
        /// URL.
        public static let invalidRequest = Self("invalidRequest")
        /// What came is not HTTP, or breaks its rules.
        public static let invalidResponse = Self("invalidResponse")
        /// The local file is not there, or can't be read.
        public static let fileUnreadable = Self("fileUnreadable")
        /// The body is longer than the reader allows.
        public static let tooLarge = Self("tooLarge")
        /// The origin answered 500, 502, 503 or 504 while something is kept; `response` holds that
        /// answer's head.
        public static let serverFailed = Self("serverFailed")
        /// Only stored answers were asked for, and none is stored that may be used.
        public static let nothingKept = Self("nothingKept")
        /// More redirects than are followed, or a circle of them.
        public static let tooManyRedirects = Self("tooManyRedirects")
        /// A redirect that must not be followed: from https to http, or to something that is not
        /// HTTP.
        public static let unsafeRedirect = Self("unsafeRedirect")
        /// The credential could not be had, or not refreshed after a 401; `cause` says why. A
        /// failure and no answer: what is kept may stand beside it.
        public static let credentialUnavailable = Self("credentialUnavailable")
        /// The request has to be sent again, and its body can be sent only once.
        public static let bodyNotReplayable = Self("bodyNotReplayable")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do.
    public let message: String
    public let cause: (any Error)?
    /// The head of the answer that counts as the failure, where there was one.
    public let response: HTTPResponse?

    public init(_ code: Code, message: String, cause: (any Error)? = nil, response: HTTPResponse? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
        self.response = response
    }

    /// True when the same request may well succeed a moment later.
    public var isTransient: Bool {
        switch code {
        case .connectionFailed, .hostNotFound, .offline, .connectionLost, .timedOut, .serverFailed: true
        default: false
        }
    }
}

extension TransportError: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}

extension HTTPResponse.Status {
    /// 500, 502, 503, 504: the server failed to answer, so what is kept may stand in. Any other
    /// error status is an answer.
    package var isServerFailure: Bool {
        switch code {
        case 500, 502, 503, 504: true
        default: false
        }
    }
}
