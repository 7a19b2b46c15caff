import Testing
import WharfChecks
import WharfGraphQL

@Suite struct SyntaxErrorTests {
    @Test(
        arguments: [
            ("", "1:1: expected an operation or a fragment, found the end of the document"),
            ("{", "1:2: expected a selection, found the end of the document"),
            ("{}", "1:2: expected a selection, found \"}\""),
            ("{\r\n  a\r  b(\n}", "4:1: expected an argument, found \"}\""),
            (
                "# \u{E9}\u{1F600}\n{ a(b: \"\u{1F600}\" %) }",
                "2:12: expected a name, a value or a punctuator, found \"%\""
            ),
            ("{ a } }", "1:7: expected an operation or a fragment, found \"}\""),
            ("{ ...on }", "1:9: expected the fragment's type, found \"}\""),
            ("fragment on on A { a }", "1:10: expected a fragment's name, which can't be \"on\", found \"on\""),
            (
                "query ($a: Int = $b) { a }",
                "1:18: expected a constant, because variables are not allowed here, found \"$\""
            ),
            ("\"what\" { a }", "1:8: expected an operation's keyword, as it has a description, found \"{\""),
            ("{ a(b: 01) }", "1:9: expected a number without leading zeros, found \"1\" after 0"),
            ("{ a(b: 1.) }", "1:10: expected a digit of a number, found \")\""),
            ("{ a(b: 1a) }", "1:9: expected the end of a number, found \"a\""),
            ("{ a(b: \"x) }", "1:13: expected the end of a string, found the end of the document"),
            ("{ a(b: \"x\n\") }", "1:10: expected the end of a string, found the end of the line"),
            ("{ a(b: \"\"\"x) }", "1:15: expected the end of a block string, found the end of the document"),
            (#"{ a(b: "\q") }"#, #"1:9: expected an escape sequence, found "\q""#),
            (#"{ a(b: "\uD83D") }"#, #"1:9: expected an escape sequence, found "\uD83D""#),
            (#"{ a(b: "\uDE00\uD83D") }"#, #"1:9: expected an escape sequence, found "\uDE00""#),
            (#"{ a(b: "\u{110000}") }"#, #"1:9: expected an escape sequence, found "\u{110""#),
            (#"{ a(b: "\u{D800}") }"#, #"1:9: expected an escape sequence, found "\u{D80""#),
            (#"{ a(b: "\u{}") }"#, #"1:9: expected an escape sequence, found "\u{}""#),
            ("{ a .. b }", "1:5: expected a name, a value or a punctuator, found \".\""),
            ("{ a\0 }", "1:4: expected a name, a value or a punctuator, found U+0000"),
            ("{ a \u{1F600} }", "1:5: expected a name, a value or a punctuator, found U+1F600"),
        ])
    func aTextThatIsNoDocumentIsRefusedWithThePlace(_ source: String, _ expected: String) throws {
        let error = try #require(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: source) }
        #expect(error.description == expected)
        #expect(error.code == .syntax)
        #expect(throws: error) { try GraphQLDocument.minified(source) }
    }

    @Test(arguments: ["type A { a: B }", "{ a } extend schema @b", "\"what\" enum A { B }", "schema { query: A }"])
    func aSchemaIsNoExecutableDocument(_ source: String) {
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: source) }
        #expect(error?.code == .notExecutable)
    }

    @Test(
        arguments: [[0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF]]
            as [[UInt8]])
    func bytesThatAreNotUTF8AreRefusedWithThePlace(_ bytes: [UInt8]) {
        let source = Array("{ a # \u{E9}\u{1F600}\n  ".utf8) + bytes
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: source) }
        #expect(error?.code == .invalidUTF8)
        #expect(error?.location == GraphQLLocation(offset: source.count - bytes.count, line: 2, column: 3))
    }

    @Test(
        arguments: [
            ("", "{a"), ("{", "...{"), ("{a(b:", "["), ("{a(b:", "{c:"), ("query($a:", "["), ("query($a:A=", "["),
        ])
    func deepTextsAreRefused(_ opening: String, _ level: String) {
        let source = opening + String(repeating: level, count: 100_000)
        let error = #expect(throws: GraphQLSyntaxError.self) { try GraphQLDocument(parsing: source) }
        #expect(error?.code == .tooDeep)
    }

    @Test func everyBeginningOfADocumentIsReadOrRefusedInside() async throws {
        try await forAll(Generator<String>.brokenSource, runs: 30) { source in
            let bytes = Array(source.utf8)
            for count in stride(from: 0, through: bytes.count, by: 7) {
                do throws(GraphQLSyntaxError) {
                    _ = try GraphQLDocument(parsing: Array(bytes[..<count]))
                } catch {
                    let place = try #require(error.location)
                    try require((0...count).contains(place.offset), "\(place.offset) of \(count)")
                    try require(place.line >= 1 && place.column >= 1, "\(place)")
                }
            }
        }
    }
}
