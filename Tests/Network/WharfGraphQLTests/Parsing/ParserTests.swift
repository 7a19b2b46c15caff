import Testing
import WharfChecks
import WharfGraphQL

@Suite struct ParserTests {
    @Test func printedDocumentsAreReadAsTheyWere() async throws {
        try await forAll(Generator<GraphQLDocument>.document, runs: 300) { document in
            let compact = try document.compact()
            let pretty = try document.pretty()
            let isSame =
                try GraphQLDocument(parsing: compact) == document && GraphQLDocument(parsing: pretty) == document
            try require(isSame, "another document from \(pretty)")
            let minified = try GraphQLDocument.minified(pretty)
            try require(minified.utf8.elementsEqual(compact.utf8), "minified: \(minified)")
        }
    }

    @Test func documentsThatWereReadArePrintedTheSameAgain() async throws {
        try await forAll(Generator<String>.source, runs: 200) { source in
            let document = try GraphQLDocument(parsing: source)
            let pretty = try document.pretty()
            let again = try GraphQLDocument(parsing: pretty)
            try require(again == document, "another document from \(pretty)")
            let isSame = try again.pretty().utf8.elementsEqual(pretty.utf8)
            try require(isSame, "another text from \(pretty)")
            let minified = try GraphQLDocument.minified(source)
            let isRead = try GraphQLDocument(parsing: minified) == document
            try require(isRead, "minified: \(minified)")
        }
    }

    @Test func ignoredTokensAreSkipped() throws {
        let source = "\u{FEFF}# a query\r\n{ ,,a\t,b\r#c\r..., on\u{FEFF}T{c}}#"
        #expect(try GraphQLDocument.minified(source) == "{a b ...on T{c}}")
        #expect(try GraphQLDocument.minified(Array(source.utf8)) == "{a b ...on T{c}}")
    }

    @Test func stringsAndNumbersStayAsTheyAreWrittenInMinifiedText() throws {
        let source = #"{ a ( b : "\u0061\/" , c : -0.50E+1 d : """  x"""  ) }"#
        #expect(try GraphQLDocument.minified(source) == #"{a(b:"\u0061\/" c:-0.50E+1 d:"""  x""")}"#)
        #expect(try GraphQLDocument(parsing: source).compact() == #"{a(b:"a/" c:-0.50E+1 d:"""  x""")}"#)
    }

    @Test(
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u00e9\u{E9}\u{0000000000e9}""#, "\u{E9}\u{E9}\u{E9}"),
            (#""\uD83D\uDE00\u{1F600}""#, "\u{1F600}\u{1F600}"),
            ("\"\u{2028}\u{7F}\"", "\u{2028}\u{7F}"),
            ("\"\"", ""),
            ("\"\"\"\n    a\r\n\n      b\r    \\\"\"\"\\u0061\n  \t\n\"\"\"", "a\n\n  b\n\"\"\"\\u0061"),
            ("\"\"\"  a\n   b\n  c\"\"\"", "  a\n b\nc"),
            ("\"\"\" \n\t\n\"\"\"", ""),
        ])
    func stringLiteralIsUnescaped(_ source: String, _ text: String) throws {
        let document = try GraphQLDocument(parsing: "{a(b:\(source))}")
        guard case .field(let field) = document.operations[0].selections[0],
            case .string(let read) = field.arguments["b"]
        else {
            Issue.record("\(document)")
            return
        }
        #expect(Array(read.text.utf8) == Array(text.utf8))
    }

    @Test func keywordsAreAcceptedAsNames() throws {
        let source =
            "query query($on:on=on){on fragment:null true(false:null)...fragment ...on on{a}}fragment query on on{on}"
        #expect(try GraphQLDocument.minified(source) == source)
        #expect(try GraphQLDocument(parsing: source).compact() == source)
    }

    @Test func aTypeIsReadByItself() throws {
        #expect(try GraphQLType(parsing: "[ID!]!") == .nonNull(.list(.nonNull(.named("ID")))))
        #expect(("[[Int]]" as GraphQLType) == .list(.list(.named("Int"))))
        #expect(throws: GraphQLSyntaxError.self) { try GraphQLType(parsing: "Int Int") }
    }

    @Test func anOperationIsFoundByItsName() throws {
        let document = try GraphQLDocument(parsing: "query A{a}mutation B{b}fragment C on D{c}")
        #expect(document.operation(named: "B")?.kind == .mutation)
        #expect(document.operation(named: nil) == nil)
        #expect(document.operation(named: "C") == nil)
        #expect(try GraphQLDocument(parsing: "query A{a}").operation(named: nil)?.name == "A")
        #expect(document.fragments.map(\.name) == ["C"])
    }

    @Test func textsAreEqualByTheirScalars() throws {
        #expect(GraphQLString("\u{E9}") != GraphQLString("e\u{301}"))
        #expect(GraphQLString("\u{E9}") == GraphQLString("\u{E9}"))
        #expect(Set([GraphQLString("\u{E9}"), "e\u{301}", "\u{E9}"]).count == 2)
    }

    @Test(arguments: [("12", 12), ("-0", 0), ("1.0", nil), ("9223372036854775808", nil)] as [(String, Int?)])
    func numberIsAnIntegerIfWrittenWithoutAFraction(_ text: String, _ expected: Int?) {
        #expect(GraphQLNumber(text)?.integer() == expected)
    }

    @Test(arguments: ["", "+1", ".5", "1.", "01", "-", "1e", "0x1", "NaN", "1 ", "--1", "1e+"])
    func aTextThatIsNoNumberIsRefused(_ text: String) { #expect(GraphQLNumber(text) == nil) }
}
