/// Why a text is no executable document, or a document can't be printed.
public struct GraphQLSyntaxError: Error, Sendable, Hashable {
    /// What kind of fault it is. More may come, so a `switch` needs a default.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// A text breaks the grammar.
        public static let syntax = Code("syntax")
        /// A text is not UTF-8 (RFC 3629).
        public static let invalidUTF8 = Code("invalidUTF8")
        /// Deeper than ``GraphQLDocument/maximumDepth``.
        public static let tooDeep = Code("tooDeep")
        /// The definition or extension of a type, directive or schema, which no executable document
        /// has.
        public static let notExecutable = Code("notExecutable")
        /// A name of a document that was built, with other characters than the grammar allows, or a
        /// keyword where it forbids that.
        public static let invalidName = Code("invalidName")
        /// A number of a document that was built is infinite or NaN.
        public static let notFinite = Code("notFinite")
        /// A variable where the grammar wants a constant, in a document that was built.
        public static let notConstant = Code("notConstant")
        /// A document that was built without a definition, or an operation or fragment without a
        /// selection.
        public static let empty = Code("empty")
        /// The non-null type of a non-null type, in a document that was built.
        public static let invalidType = Code("invalidType")
    }

    public let code: Code
    /// What was expected and what was found; of a document that was built also where.
    public let message: String
    /// Where in the text; nil for a document that was built.
    public let location: GraphQLLocation?

    public init(_ code: Code, message: String, location: GraphQLLocation? = nil) {
        self.code = code
        self.message = message
        self.location = location
    }
}

extension GraphQLSyntaxError: CustomStringConvertible {
    /// `3:14: expected a selection, found ")"`.
    public var description: String { location.map { "\($0): \(message)" } ?? message }
}
