public import WharfCore

/// What came was not what a ``StubTransport`` was to expect.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// A request came that nobody expects, or more often than expected, or out of order.
        public static let unexpectedRequest = Self("unexpectedRequest")
        /// A request did not come, or not often enough.
        public static let missingRequest = Self("missingRequest")
    }

    public let code: Code
    /// Which requests, and how the unexpected ones differ from the nearest that were expected.
    public let message: String

    public init(_ code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code): \(message)" }
}

extension TransportError.Code {
    /// A request that a ``StubTransport`` does not expect, or that is not in the recording of a
    /// ``ReplayTransport``. The message says how it differs from the nearest one.
    public static let unexpectedRequest = Self("unexpectedRequest")
}
