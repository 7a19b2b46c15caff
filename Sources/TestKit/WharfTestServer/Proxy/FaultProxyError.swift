public import WharfCore

/// An error that prevents a ``FaultProxy`` from starting.
public struct FaultProxyError: CodedError, Sendable {
    /// The kind of the failure, as an extensible name.
    public struct Code: ErrorCode {
        /// The name of the kind.
        public let name: String
        /// Creates a kind from its name.
        public init(_ name: String) { self.name = name }

        /// The text is no address with a port.
        public static let invalidAddress = Self("invalidAddress")
        /// The port is taken, or its use is not permitted.
        public static let portUnavailable = Self("portUnavailable")
    }

    /// The kind of the failure.
    public let code: Code
    /// The message with the expectation, the finding, the location and advice.
    public let message: String
    /// The error that caused this one, if there is one.
    public let cause: (any Error)?

    init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

}
