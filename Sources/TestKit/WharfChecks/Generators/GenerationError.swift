/// An error of a generator or the environment, so that there are no inputs.
public struct GenerationError: CodedError, Sendable {
    /// The kind of a generation error, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, which is the code's description.
        public let name: String
        /// Creates a code of your own.
        public init(_ name: String) { self.name = name }

        /// The filter rejects nearly all values, or values become too large.
        public static let tooSelective = Code("tooSelective")
        /// `WHARF_SEED` or `WHARF_RUNS` is not a number.
        public static let invalidEnvironment = Code("invalidEnvironment")
    }

    /// The kind of the error.
    public let code: Code
    /// A description of the failure, with advice.
    public let message: String
    /// The error that caused this one, if there is one.
    public let cause: (any Error)?

    init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}
