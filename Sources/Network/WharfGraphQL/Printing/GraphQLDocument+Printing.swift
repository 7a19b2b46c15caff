extension GraphQLDocument {
    /// Returns the shortest text, without ignored tokens, as it is sent.
    ///
    /// The result is that of graphql-js's `stripIgnoredCharacters` for ``pretty()``.
    ///
    /// - Throws: ``GraphQLSyntaxError`` if the document breaks the grammar.
    /// - Complexity: O(n) in the size of the text.
    public func compact() throws(GraphQLSyntaxError) -> String {
        try DocumentCheck.check(self)
        var printer = CompactPrinter()
        printer.write(self)
        return printer.buffer.text()
    }

    /// Returns the text in the layout of graphql-js 17, without a final line end.
    ///
    /// Each level is indented by two blanks. A field's arguments, a list or an object that takes
    /// more than 80 columns has one element per line.
    ///
    /// - Throws: ``GraphQLSyntaxError`` if the document breaks the grammar.
    /// - Complexity: O(n) in the size of the text.
    public func pretty() throws(GraphQLSyntaxError) -> String {
        try DocumentCheck.check(self)
        var printer = PrettyPrinter()
        printer.write(self)
        return printer.text()
    }
}
