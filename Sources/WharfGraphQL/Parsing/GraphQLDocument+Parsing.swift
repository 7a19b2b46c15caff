extension GraphQLDocument {
    /// Reads an executable document.
    ///
    /// - Parameter source: UTF-8; a byte order mark is passed over.
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first fault.
    /// - Complexity: O(n) in the count of bytes.
    public init(parsing source: [UInt8]) throws(GraphQLSyntaxError) {
        self = try Self.read(source).get().value
    }

    /// Reads an executable document.
    ///
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first fault.
    /// - Complexity: O(n) in the count of bytes.
    public init(parsing source: String) throws(GraphQLSyntaxError) {
        self = try Self.read(source).get().value
    }

    /// The text without blanks, line ends, commas, comments, and the indentation of block strings,
    /// all else as it stands there: what graphql-js's `stripIgnoredCharacters` makes of it.
    ///
    /// - Parameter source: an executable document in UTF-8; it is read, so that what is no document
    ///   is refused.
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first fault.
    /// - Complexity: O(n) in the count of bytes.
    public static func minified(_ source: [UInt8]) throws(GraphQLSyntaxError) -> String {
        try read(source, minifies: true).get().compact ?? ""
    }

    /// The text without what is ignored, as for bytes.
    ///
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first fault.
    /// - Complexity: O(n) in the count of bytes.
    public static func minified(_ source: String) throws(GraphQLSyntaxError) -> String {
        try read(source, minifies: true).get().compact ?? ""
    }

    private typealias Outcome = Result<(value: GraphQLDocument, compact: String?), GraphQLSyntaxError>

    private static func read(_ source: [UInt8], minifies: Bool = false) -> Outcome {
        source.withUnsafeBufferPointer { bytes in
            Parser.read(bytes, minifies: minifies) { (parser) throws(Lexer.Stop) in try parser.document() }
        }
    }

    private static func read(_ source: String, minifies: Bool = false) -> Outcome {
        var source = source
        return source.withUTF8 { bytes in
            Parser.read(bytes, minifies: minifies) { (parser) throws(Lexer.Stop) in try parser.document() }
        }
    }
}

extension GraphQLType {
    /// Reads a type: `[ID!]!`.
    ///
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first fault.
    public init(parsing source: String) throws(GraphQLSyntaxError) {
        var source = source
        self = try source.withUTF8 { bytes in
            Parser.read(bytes) { (parser) throws(Lexer.Stop) in try parser.type() }
        }.get().value
    }
}
