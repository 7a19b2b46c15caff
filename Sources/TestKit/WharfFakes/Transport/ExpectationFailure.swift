public import WharfCore

/// The requests differed from the expectations of a ``StubTransport``.
public struct ExpectationFailure: CodedError, Sendable {
    /// The kind of difference, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in the description.
        public let name: String
        /// Creates a code from its name.
        public init(_ name: String) { self.name = name }

        /// A request was not expected, came too often, or came out of order.
        public static let unexpectedRequest = Self("unexpectedRequest")
        /// A request did not come, or not often enough.
        public static let missingRequest = Self("missingRequest")
    }

    /// The kind of difference.
    public let code: Code
    /// The requests, and how unexpected ones differ from the nearest expectation.
    public let message: String

    /// Creates a failure.
    public init(_ code: Code, message: String) {
        self.code = code
        self.message = message
    }

}

extension TransportError.Code {
    /// The request is not expected, or not in a recording.
    ///
    /// ``StubTransport`` and ``ReplayTransport`` throw it. The message shows the differences from
    /// the nearest expected request.
    public static let unexpectedRequest = Self("unexpectedRequest")
}
