/// No values could be made: this is about the generator or the environment, not about what is
/// tested.
public struct GenerationError: Error, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String

        private init(_ name: String) { description = name }

        /// A filter lets nearly nothing through, or values become too large.
        public static let tooSelective = Code("tooSelective")
        /// `WHARF_SEED` or `WHARF_RUNS` is no number.
        public static let invalidEnvironment = Code("invalidEnvironment")
    }

    public let code: Code
    public let message: String
    public let cause: (any Error)?

    init(_ code: Code, message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { "\(code): \(message)" }
}
