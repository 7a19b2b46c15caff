/// The reason why a write was not accepted, or the service's objection to it.
public struct WriteFailure: CodedError, Sendable {
    /// The kind of failure, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in the description.
        public let name: String
        /// Creates a code from its name.
        public init(_ name: String) { self.name = name }

        /// The outcome of the write is unknown.
        ///
        /// There was no network, no answer, or an answer such as 503 or 429 that asks for another
        /// attempt.
        public static let notDelivered = Self("notDelivered")
        /// The service says that the change is invalid (400, 422).
        ///
        /// ``WriteFailure/excerpt`` has the answer.
        public static let invalid = Self("invalid")
        /// The model to change does not exist (404, 410).
        public static let notFound = Self("notFound")
        /// The user is not signed in, or has no permission (401, 403).
        public static let notAuthorized = Self("notAuthorized")
        /// The service answered with another error status.
        public static let refused = Self("refused")
        /// The model can't be encoded.
        public static let unencodable = Self("unencodable")
        /// The source is read-only.
        public static let unsupported = Self("unsupported")
        /// The store could not be read or written; see `cause`.
        public static let storeFailed = Self("storeFailed")
        /// The repository was closed.
        public static let closed = Self("closed")
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the found state, and the remedy.
    public let message: String
    /// The underlying error, if there is one.
    public let cause: (any Error)?
    /// The head of the service's answer, if there was one.
    public let response: HTTPResponse?
    /// The first bytes of that answer's body, at most 4 KiB.
    public let excerpt: [UInt8]

    /// Creates a failure.
    public init(
        _ code: Code, message: String, cause: (any Error)? = nil, response: HTTPResponse? = nil, excerpt: [UInt8] = []
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.response = response
        self.excerpt = excerpt
    }

    /// Creates the failure of a change that an outbox has given up.
    package init(_ failure: DeliveryFailure) {
        self.init(
            failure.status.map { Code(status: $0) } ?? (failure.code == .rejected ? .refused : .notDelivered),
            message: failure.message, cause: failure)
    }

    /// Creates a failure from a source's answer, by its status (RFC 9110 §15.5).
    public init(_ failure: ReadFailure) {
        let code: Code =
            switch failure.code {
            case .status where failure.isAnswer: Code(status: failure.response?.status.code)
            case .gone: .notFound
            case .unsupported: .unsupported
            case .invalidRequest: .unencodable
            default: .notDelivered
            }
        self.init(
            code, message: failure.message, cause: failure, response: failure.response, excerpt: failure.excerpt)
    }
}

extension WriteFailure.Code {
    fileprivate init(status: Int?) {
        switch status {
        case 400, 422: self = .invalid
        case 401, 403: self = .notAuthorized
        case 404, 410: self = .notFound
        // The service will never serve the request: it lacks the method or the version (RFC 9110
        // §15.6.2, §15.6.6).
        case 501, 505: self = .refused
        // These ask for another attempt (RFC 9110 §15.5.9, RFC 8470 §5.2, RFC 6585 §4).
        case 408, 425, 429: self = .notDelivered
        // Read these statuses as `Delivery.Verdict` does: 529 of a busy service, 511 of a captive
        // portal. As a refusal they would undo the edit, although a later attempt may succeed.
        case let status? where status >= 500 || status < 100: self = .notDelivered
        default: self = .refused
        }
    }
}

extension WriteFailure: Equatable {
    /// Compares all but the causes, since most errors can't be compared.
    public static func == (a: Self, b: Self) -> Bool {
        a.code == b.code && a.message == b.message && a.response == b.response && a.excerpt == b.excerpt
    }
}
