import Testing
import WharfJSON

/// Invalid documents by section of RFC 8259, each with the offset of the error.
@Suite struct InvalidTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let document: Document
        let offset: Int
        var code = JSONIssue.Code.syntax
        var testDescription: String { document.testDescription }

        init(_ document: Document, _ offset: Int, _ code: JSONIssue.Code = .syntax) {
            (self.document, self.offset, self.code) = (document, offset, code)
        }
    }

    static let rows: [Row] = [
        // §2: a text is one value, and there are four kinds of white space.
        Row("", 0), Row(" ", 1), Row("\n\n", 2), Row("1 2", 2), Row("[] []", 3), Row("{}{}", 2), Row("[]]", 2),
        Row("{}}", 2), Row("1,", 1), Row("1:", 1), Row("\"a\"b", 3), Row("nullnull", 4), Row("\u{B}1", 0),
        Row("\u{C}1", 0),
        Row("\u{A0}1", 0), Row("[\u{2003}1]", 1), Row("1\0", 1), Row("[1\0]", 2), Row("[\0]", 1), Row("\0", 0),
        Row("1 \0", 2),
        Row("[1]\0\0", 3), Row("/* */1", 0), Row("1 // a", 2), Row("#1", 0),
        // §3: literals are lower case and complete.
        Row("nul", 0), Row("nulL", 0), Row("NULL", 0), Row("True", 0), Row("tru", 0), Row("fals", 0), Row("falsE", 0),
        Row("truefalse", 4), Row("nullx", 4), Row("[true1]", 5), Row("undefined", 0), Row("[a]", 1),
        // §4: objects.
        Row("{", 1), Row("{]", 1), Row("{,}", 1), Row(#"{"a"}"#, 4), Row(#"{"a":}"#, 5), Row(#"{"a":1"#, 6),
        Row(#"{"a":1,}"#, 7), Row(#"{"a":1,,"b":2}"#, 7), Row(#"{"a":1 "b":2}"#, 7), Row(#"{"a" 1}"#, 5),
        Row(#"{"a"::1}"#, 5),
        Row("{a:1}", 1), Row("{'a':1}", 1), Row("{1:1}", 1), Row("{null:1}", 1), Row(#"{"a":1]"#, 6),
        Row(#"{"a",1}"#, 4),
        Row(#"{:1}"#, 1), Row(#"{"a":1,1}"#, 7), Row(#"{"a":1;"b":2}"#, 6), Row("{\"a\":1,\0}", 7),
        Row("{\"a\"\0:1}", 4),
        // §5: arrays.
        Row("[", 1), Row("]", 0), Row("[1", 2), Row("[1,", 3), Row("[1,]", 3), Row("[,]", 1), Row("[,1]", 1),
        Row("[1,,2]", 3),
        Row("[1 2]", 3), Row("[1}", 2), Row("[1:2]", 2), Row("[1;2]", 2), Row("[[]", 3), Row("[\"a\":1]", 4),
        Row("[(1)]", 1),
        // §6: numbers.
        Row("01", 1), Row("-01", 2), Row("00", 1), Row("1.", 2), Row("-", 1), Row("-a", 1), Row("--1", 1), Row("+1", 0),
        Row(".5", 0),
        Row("-.5", 1), Row("1e", 2), Row("1e+", 3), Row("1E-", 3), Row("1.e1", 2), Row("1.5e", 4), Row("0e", 2),
        Row("1e1.5", 3),
        Row("1.5.5", 3), Row("0x1F", 1), Row("1_000", 1), Row("1,000", 1), Row("Infinity", 0), Row("-Infinity", 1),
        Row("NaN", 0),
        Row("1f", 1), Row("1 e1", 2), Row("- 1", 1), Row("[1.]", 3), Row("[-]", 2), Row("[01]", 2), Row("\u{FF11}", 0),
        Row("[0.]", 3), Row("1e1e1", 3), Row("12345678901234567890123.", 24), Row("0012345678901234567890", 1),
        // §7: strings.
        Row("\"", 1), Row("\"a", 2), Row("'a'", 0), Row("\"\\\"", 3), Row("\"\\", 1), Row("\"\\a\"", 1),
        Row("\"\\x41\"", 1),
        Row("\"\\'\"", 1), Row("\"\\U0041\"", 1), Row("\"\\0\"", 1), Row("\"\\\n\"", 1), Row("\"\\u\"", 3),
        Row("\"\\u004\"", 6),
        Row("\"\\u00g0\"", 5), Row("\"\\u+041\"", 3), Row("\"\\u 041\"", 3), Row("\"\\u{41}\"", 3), Row("\"\\é\"", 1),
        Row("\"\n\"", 1), Row("\"\t\"", 1), Row("\"\0\"", 1), Row("\"a\u{1F}\"", 2), Row("\"12345678\r\"", 9),
        Row("{\"\n\":1}", 2),
        // §8.2: a lone surrogate has no UTF-8 form.
        Row(#""\ud800""#, 7), Row(#""\uDBFF ""#, 7), Row(#""\udc00""#, 1), Row(#""\uDFFF\ud800""#, 1),
        Row(#""\ud800\ud800""#, 7),
        Row(#""\ud800\u0041""#, 7), Row(#""\ud800\n""#, 7), Row(#""\ud800\""#, 7), Row(#""\ud800\u""#, 9),
        Row(#""\ud800\udc0""#, 12),
    ]

    /// §8.1: UTF-8 as in RFC 3629. The offset is that of the invalid sequence.
    private struct Encoding {
        let bytes: [UInt8]
        let wrong: Int

        init(_ bytes: [UInt8], _ wrong: Int) { (self.bytes, self.wrong) = (bytes, wrong) }
    }

    private static let sequences: [Encoding] = [
        Encoding([0x80], 0),
        Encoding([0xBF], 0),
        Encoding([0xC0, 0x80], 0),
        Encoding([0xC1, 0xBF], 0),
        Encoding([0xC2], 0),
        Encoding([0xC2, 0x41], 0),
        Encoding([0xC3, 0xC3], 0),
        Encoding([0xE0, 0x80, 0x80], 0),
        Encoding([0xE0, 0x9F, 0xBF], 0),
        Encoding([0xE2, 0x82], 0),
        Encoding([0xE2, 0x82, 0x41], 0),
        Encoding([0xE2, 0x41, 0x82], 0),
        Encoding([0xED, 0xA0, 0x80], 0),
        Encoding([0xED, 0xBF, 0xBF], 0),
        Encoding([0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], 0),
        Encoding([0xF0, 0x80, 0x80, 0x80], 0),
        Encoding([0xF0, 0x8F, 0xBF, 0xBF], 0),
        Encoding([0xF0, 0x9F, 0x98], 0),
        Encoding([0xF0, 0x9F, 0x98, 0x41], 0),
        Encoding([0xF0, 0x9F, 0x41, 0x80], 0),
        Encoding([0xF4, 0x90, 0x80, 0x80], 0),
        Encoding([0xF5, 0x80, 0x80, 0x80], 0),
        Encoding([0xF8, 0x88, 0x80, 0x80, 0x80], 0),
        Encoding([0xFE], 0),
        Encoding([0xFF], 0),
        Encoding([0xC3, 0xA9, 0x80], 2),
        Encoding([0x61, 0x62, 0xFF], 2),
        Encoding([0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0xC3, 0xA9, 0xFF], 10),
        Encoding([0xE9], 0),
        Encoding([0xC3, 0xA9, 0x5C, 0x6E, 0xC3], 4),
        Encoding([0x5C, 0x6E, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0xC3], 9),
    ]

    static let encodings: [Row] = sequences.flatMap { sequence in
        let bytes = sequence.bytes
        // Alone, as a key, and after other bytes.
        let key: [UInt8] = [0x7B] + quoted(bytes) + Array(":1}".utf8)
        let element: [UInt8] = [0x5B] + quoted(Array("12345".utf8) + bytes) + [0x5D]
        return [
            Row(Document(quoted(bytes)), sequence.wrong + 1, .invalidUTF8),
            Row(Document(key), sequence.wrong + 2, .invalidUTF8),
            Row(Document(element), sequence.wrong + 7, .invalidUTF8),
        ]
    }

    @Test(arguments: rows + encodings, Way.allCases) func invalidDocumentIsRefusedAtItsOffset(
        _ row: Row, _ way: Way
    ) throws {
        // Inside an enclosing object, the text may continue or end at another offset.
        if way == .beside,
            row.offset >= row.document.bytes.count || [0x5D, 0x7D, 0x2C].contains(row.document.bytes[row.offset])
        {
            #expect(way.breach(row.document.bytes) != nil || row.document.bytes.last == 0x2C)
            return
        }
        let issue = try #require(way.breach(row.document.bytes))
        #expect(issue.code == row.code)
        #expect(issue.location.offset == row.offset + (way == .beside ? 11 : 0))
    }

    @Test(arguments: rows + encodings) func invalidDocumentFailsThePlainGrammar(_ row: Row) {
        #expect(!Grammar.accepts(row.document.bytes))
    }

    @Test func malformedNumberIsASyntaxErrorForEveryType() throws {
        func issue<Value: JSONDecodable>(_ type: Value.Type, _ bytes: [UInt8]) -> JSONIssue? {
            failure(type, bytes).last
        }
        let types: [any JSONDecodable.Type] = [Int8.self, Int.self, UInt64.self, Int128.self, Double.self, Float.self]
        for row in Self.rows where row.document.bytes.first.map({ $0 == 0x2D || (0x30...0x39).contains($0) }) == true {
            for type in types {
                let found = issue(type, row.document.bytes)
                let issue = try #require(found)
                #expect(issue.code == .syntax, "\(row.testDescription) \(type)")
                #expect(issue.location.offset == row.offset, "\(row.testDescription) \(type)")
            }
        }
    }
}
