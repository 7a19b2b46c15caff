/// Why no types can be made.
public struct GenerationError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String

        init(_ name: String) { self.name = name }

        public var description: String { name }

        /// An object has more fields than WharfJSON tells apart.
        public static let tooManyFields = Code("tooManyFields")
        /// A key with quotes, backslashes or control characters, which WharfJSON does not compare.
        public static let unreadableKey = Code("unreadableKey")
        /// A number that neither a `Double` nor a `Decimal` holds.
        public static let unreadableNumber = Code("unreadableNumber")
        /// A repository is asked for of models without an id.
        public static let noID = Code("noID")
        /// No object has the key that is to tell its kinds apart.
        public static let noDiscriminator = Code("noDiscriminator")
    }

    public let code: Code
    /// What was expected, what was found, what to do.
    public let message: String

    init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    public var description: String { message }
}
