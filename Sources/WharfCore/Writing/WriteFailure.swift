/// Why a write was not taken, or what the service said against it.
public struct WriteFailure: Error, Sendable {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// Nobody knows whether it arrived: no network, no answer, or an answer such as 503 or 429
        /// that says to try again.
        public static let notDelivered = Self("notDelivered")
        /// The service says that it is wrong (400, 422); see ``WriteFailure/excerpt`` for what it
        /// says.
        public static let invalid = Self("invalid")
        /// There is nothing to change (404, 410).
        public static let notFound = Self("notFound")
        /// Not signed in, or not allowed (401, 403).
        public static let notAuthorized = Self("notAuthorized")
        /// Any other error status.
        public static let refused = Self("refused")
        /// The model can't be encoded.
        public static let unencodable = Self("unencodable")
        /// There is no way to write: the source is for reading.
        public static let unsupported = Self("unsupported")
        /// The store could not be read or written; see `cause`.
        public static let storeFailed = Self("storeFailed")
        /// The repository was closed.
        public static let closed = Self("closed")
    }

    public let code: Code
    /// What was expected, what was found, and what to do.
    public let message: String
    public let cause: (any Error)?
    /// The head of the service's answer, where there was one.
    public let response: HTTPResponse?
    /// The beginning of that answer's body, at most 4 KiB.
    public let excerpt: [UInt8]

    public init(
        _ code: Code, message: String, cause: (any Error)? = nil, response: HTTPResponse? = nil, excerpt: [UInt8] = []
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.response = response
        self.excerpt = excerpt
    }

    /// Why a change that waited in an outbox was given up.
    package init(_ failure: DeliveryFailure) {
        self.init(
            failure.status.map { Code(status: $0) } ?? (failure.code == .rejected ? .refused : .notDelivered),
            message: failure.message, cause: failure)
    }

    /// What a source said, by its status (RFC 9110 §15.5).
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
        case 501, 505: self = .refused
        case 408, 425, 429: self = .notDelivered
        // As `Delivery.Verdict` reads them. As a refusal, an edit that a busy service answers with
        // 529, or a captive portal with 511, is undone although a later attempt may succeed.
        case let status? where status >= 500 || status < 100: self = .notDelivered
        default: self = .refused
        }
    }
}

extension WriteFailure: Equatable {
    /// Causes are not compared: most errors can't be.
    public static func == (a: Self, b: Self) -> Bool {
        a.code == b.code && a.message == b.message && a.response == b.response && a.excerpt == b.excerpt
    }
}

extension WriteFailure: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}
