public import WharfCore

/// An error that prevents a `Gateway` from starting.
public struct GatewayError: CodedError, Sendable {
    /// The kind of the failure, as an extensible name.
    public struct Code: ErrorCode {
        /// The name of the kind.
        public let name: String
        /// Creates a kind from its name.
        public init(_ name: String) { self.name = name }

        /// The origin is not an http or https URL without a path.
        public static let invalidOrigin = Self("invalidOrigin")
        /// The text is no address with a port.
        public static let invalidAddress = Self("invalidAddress")
        /// A file of certificates, or of the key, can't be read or used.
        public static let invalidCertificate = Self("invalidCertificate")
        /// The port is taken, or its use is not permitted.
        public static let portUnavailable = Self("portUnavailable")
    }

    /// The kind of the failure.
    public let code: Code
    /// The failed operation, the reason, and the remedy.
    public let message: String
    /// The underlying error; nil if there is none.
    public let cause: (any Error)?

    init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}
