/// An error of parsing a text or printing a document.
public struct GraphQLSyntaxError: CodedError, Sendable, Hashable {
    /// The kind of an error. More may be added, so a `switch` needs a default.
    public struct Code: ErrorCode {
        /// The name, which is the code's description.
        public let name: String
        /// Creates a code of your own.
        public init(_ name: String) { self.name = name }

        /// The text breaks the grammar.
        public static let syntax = Code("syntax")
        /// The text is not UTF-8 (RFC 3629).
        public static let invalidUTF8 = Code("invalidUTF8")
        /// The nesting is deeper than ``GraphQLDocument/maximumDepth``.
        public static let tooDeep = Code("tooDeep")
        /// A definition or extension of a type, directive or schema.
        ///
        /// An executable document can't have it.
        public static let notExecutable = Code("notExecutable")
        /// A name in a built document has invalid characters, or is a forbidden keyword.
        public static let invalidName = Code("invalidName")
        /// A number in a built document is infinite or NaN.
        public static let notFinite = Code("notFinite")
        /// A variable in a built document stands where the grammar requires a constant.
        public static let notConstant = Code("notConstant")
        /// A built document lacks definitions, or a part of it lacks selections.
        public static let empty = Code("empty")
        /// A built document has the non-null type of a non-null type.
        public static let invalidType = Code("invalidType")
    }

    /// The kind of the error.
    public let code: Code
    /// The expected and the found text; for a built document the place too.
    public let message: String
    /// The place in the text; nil for a built document.
    public let location: GraphQLLocation?

    /// Creates an error.
    public init(_ code: Code, message: String, location: GraphQLLocation? = nil) {
        self.code = code
        self.message = message
        self.location = location
    }
}

extension GraphQLSyntaxError {
    /// The location and the message: `3:14: expected a selection, found ")"`.
    public var description: String { location.map { "\($0): \(message)" } ?? message }
}
