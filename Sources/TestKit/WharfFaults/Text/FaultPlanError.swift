public import WharfCore

/// The error for a text that is not a fault plan.
public struct FaultPlanError: CodedError, Sendable {
    /// The kind of an error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, which is the code's description.
        public let name: String
        /// Creates a code of your own.
        public init(_ name: String) { self.name = name }

        /// No preset or fault has that name.
        public static let unknownFault = Self("unknownFault")
        /// The text after a comma is not an option, or not an option of this fault.
        public static let unknownOption = Self("unknownOption")
        /// A value is malformed, missing or superfluous.
        public static let invalidValue = Self("invalidValue")
    }

    /// The kind of the error.
    public let code: Code
    /// The expected text, the found text, the place, and advice.
    public let message: String
    /// The underlying error; always nil.
    public let cause: (any Error)?

    init(_ code: Code, message: String) {
        self.code = code
        self.message = message
        self.cause = nil
    }
}
