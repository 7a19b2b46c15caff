public import WharfJSON

/// The reason that no types can be generated.
public struct GenerationError: CodedError, Hashable, Sendable {
    /// The kind of failure, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in `tooManyFields`.
        public let name: String
        /// Creates a code from its name.
        public init(_ name: String) { self.name = name }

        /// An object has more fields than WharfJSON supports.
        public static let tooManyFields = Code("tooManyFields")
        /// A key has characters that WharfJSON can't compare.
        ///
        /// These are quotes, backslashes and control characters.
        public static let unreadableKey = Code("unreadableKey")
        /// A number that fits neither a `Double` nor a `Decimal`.
        public static let unreadableNumber = Code("unreadableNumber")
        /// A repository was asked for, but the models have no id.
        public static let noID = Code("noID")
        /// No object has the given discriminator.
        public static let noDiscriminator = Code("noDiscriminator")
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the found input, and the remedy.
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    public var description: String { message }
}
