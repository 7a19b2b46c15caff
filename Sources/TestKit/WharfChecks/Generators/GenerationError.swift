/// An error of a generator or the environment, so that there are no inputs.
public struct GenerationError: Error, Sendable, CustomStringConvertible {
    /// The kind of a generation error.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        private init(_ name: String) { description = name }

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

    public var description: String { "\(code): \(message)" }
}
