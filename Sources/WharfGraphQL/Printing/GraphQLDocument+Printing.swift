extension GraphQLDocument {
    /// The text with nothing in it that is ignored, as it goes over the wire: what graphql-js's
    /// `stripIgnoredCharacters` makes of ``pretty()``.
    ///
    /// - Throws: ``GraphQLSyntaxError`` for what the grammar forbids.
    /// - Complexity: O(n) in the size of the text.
    public func compact() throws(GraphQLSyntaxError) -> String {
        try DocumentCheck.check(self)
        var printer = CompactPrinter()
        printer.write(self)
        return printer.buffer.text()
    }

    /// The text as graphql-js 17 prints it: two blanks for each level, and a field's arguments, a
    /// list or an object below one another where they would take more than 80 columns. It ends
    /// without a line end.
    ///
    /// - Throws: ``GraphQLSyntaxError`` for what the grammar forbids.
    /// - Complexity: O(n) in the size of the text.
    public func pretty() throws(GraphQLSyntaxError) -> String {
        try DocumentCheck.check(self)
        var printer = PrettyPrinter()
        printer.write(self)
        return printer.text()
    }
}
