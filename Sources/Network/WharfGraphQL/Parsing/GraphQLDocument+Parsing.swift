extension GraphQLDocument {
    /// Parses an executable document from bytes.
    ///
    /// - Parameter source: UTF-8; a byte order mark is skipped.
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first error.
    /// - Complexity: O(n) in the number of bytes.
    public init(parsing source: [UInt8]) throws(GraphQLSyntaxError) {
        self = try Self.read(source).get().value
    }

    /// Parses an executable document from text.
    ///
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first error.
    /// - Complexity: O(n) in the number of bytes.
    public init(parsing source: String) throws(GraphQLSyntaxError) {
        self = try Self.read(source).get().value
    }

    /// Returns a document without ignored tokens and block string indentation.
    ///
    /// Blanks, line ends, commas and comments are ignored tokens. All other text is unchanged. The
    /// result is that of graphql-js's `stripIgnoredCharacters`.
    ///
    /// - Parameter source: an executable document in UTF-8. It is parsed, so that other text is
    ///   refused.
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first error.
    /// - Complexity: O(n) in the number of bytes.
    public static func minified(_ source: [UInt8]) throws(GraphQLSyntaxError) -> String {
        try read(source, minifies: true).get().compact ?? ""
    }

    /// Returns a document without ignored tokens and block string indentation.
    ///
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first error.
    /// - Complexity: O(n) in the number of bytes.
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
        // `withUTF8` may have to make the text contiguous, which changes a copy.
        var source = source
        return source.withUTF8 { bytes in
            Parser.read(bytes, minifies: minifies) { (parser) throws(Lexer.Stop) in try parser.document() }
        }
    }
}

extension GraphQLType {
    /// Parses a type: `[ID!]!`.
    ///
    /// - Throws: ``GraphQLSyntaxError`` with the place of the first error.
    public init(parsing source: String) throws(GraphQLSyntaxError) {
        var source = source
        self = try source.withUTF8 { bytes in
            Parser.read(bytes) { (parser) throws(Lexer.Stop) in try parser.type() }
        }.get().value
    }
}
