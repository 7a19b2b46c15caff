#if TestServer
/// Why a ``FaultProxy`` can't start.
public struct FaultProxyError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// The text is no address with a port.
        public static let invalidAddress = Self("invalidAddress")
        /// The port is taken, or may not be used.
        public static let portUnavailable = Self("portUnavailable")
    }

    public let code: Code
    /// What was expected, what was found, where, and what to do.
    public let message: String
    public let cause: (any Error)?

    init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { "\(code): \(message)" }
}
#endif
