import Testing
import WharfChecks
import WharfGraphQL

@Suite struct StringTests {
    private func printed(_ text: GraphQLString) throws -> String {
        let text = try GraphQLDocument { GraphQLOperation.query { GraphQLField("a", ["b": .string(text)]) } }.compact()
        return String(text.dropFirst("{a(b:".count).dropLast(")}".count))
    }

    @Test(
        arguments: [
            ("plain \u{E9}\u{1F600}", "\"plain \u{E9}\u{1F600}\""),
            ("\"\u{301}", "\"\\\"\u{301}\""),
            ("\\\u{301}", "\"\\\\\u{301}\""),
            ("a\r\nb", #""a\r\nb""#),
            ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
            ("\0\u{1}\u{B}\u{1F}\u{7F}", #""\u0000\u0001\u000B\u001F\u007F""#),
            ("\u{80}\u{85}\u{9F}\u{A0}", #""\u0080\u0085\u009F"# + "\u{A0}\""),
            ("\u{2028}\u{2029}\u{FEFF}", "\"\u{2028}\u{2029}\u{FEFF}\""),
        ])
    func aStringIsEscapedByScalars(_ text: String, _ expected: String) throws {
        #expect(Array(try printed(GraphQLString(text)).utf8) == Array(expected.utf8))
    }

    @Test(
        arguments: [
            ("", "\"\"\"\"\"\""),
            ("a\nb", "\"\"\"a\nb\"\"\""),
            ("a\n  b", "\"\"\"\na\n  b\"\"\""),
            ("  a", "\"\"\"  a\"\"\""),
            ("say \"hi\"", "\"\"\"say \"hi\"\n\"\"\""),
            ("a\\", "\"\"\"a\\\n\"\"\""),
            ("\"\"\"", "\"\"\"\\\"\"\"\"\"\""),
            ("\"\"\"\"", "\"\"\"\\\"\"\"\"\n\"\"\""),
        ])
    func aBlockStringIsPrintedAsOne(_ text: String, _ expected: String) throws {
        #expect(try printed(GraphQLString(text, isBlock: true)) == expected)
    }

    @Test(arguments: ["a\r\nb", "a\rb", "\na", "a\n", " ", "a\n ", "  a\n  b", "\ta\n\n\tb"])
    func textUnfitForABlockStringIsQuoted(_ text: String) throws {
        let printed = try printed(GraphQLString(text, isBlock: true))
        #expect(printed == (try self.printed(GraphQLString(text))))
        #expect(!printed.hasPrefix("\"\"\""))
    }

    @Test func aTextIsReadAsItWasPrinted() async throws {
        let scalars = Generator<Unicode.Scalar>.oneOf(.scalar, .element(of: Array("\" \n\t\r\\a".unicodeScalars)))
        let texts = Generator<(String, Bool, Int)>.zip(.string(of: scalars), .bool, .int(in: 0...2))
        try await forAll(texts, runs: 2_000) { text, isBlock, depth in
            var field = GraphQLField("a", ["b": .string(GraphQLString(text, isBlock: isBlock))])
            for _ in 0..<depth {
                let inner = field
                field = GraphQLField("c") { inner }
            }
            let document = GraphQLDocument { GraphQLOperation.query { field } }
            for printed in [try document.compact(), try document.pretty()] {
                var found = try GraphQLDocument(parsing: printed).operations[0].selections[0]
                while case .field(let outer) = found, let inner = outer.selections.first { found = inner }
                guard case .field(let field) = found, case .string(let read)? = field.arguments["b"] else {
                    throw Failure(message: "expected a string in \(printed)")
                }
                try require(read.text.utf8.elementsEqual(text.utf8), "read \(read.text.debugDescription)")
            }
        }
    }

    struct Failure: Error { let message: String }
}
