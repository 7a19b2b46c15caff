import Testing
import WharfJSON

/// Valid documents by section of RFC 8259.
@Suite struct ValidTests {
    static let rows: [Document] = [
        // §2: every value is a text, with four kinds of white space around each token.
        "null", "true", "false", "0", "\"\"", "{}", "[]",
        " null", "null ", "\t\n\r 1\r\n\t ", "[ ]", "{ }", "[\n1\t,\r2 ]", "{ \"a\" : 1 , \"b\"\n:\t2 }",
        // Runs of blanks around the eight that are skipped at a time.
        Document(String(repeating: " ", count: 7) + "1" + String(repeating: " ", count: 8)),
        Document(String(repeating: " ", count: 9) + "[" + String(repeating: " ", count: 17) + "]"),
        Document("[1," + String(repeating: " ", count: 16) + "\n" + String(repeating: " ", count: 8) + "2]"),
        // §4: objects. Names need not be unique, and any string is a name.
        #"{"":0}"#, #"{"a":1,"a":2}"#, #"{"a":{"b":{"c":{}}}}"#, #"{"\u0000":1}"#, #"{"a":[],"b":{}}"#,
        // §5: arrays of different kinds.
        "[[]]", "[[],[[]],{}]", #"[null,true,false,0,"",{},[]]"#, "[1,1]",
        // §6: numbers.
        "-0", "10", "-10", "0.0", "-0.0", "0e0", "0e1", "0E+1", "0e-1", "1e0", "1E1", "1e+01", "1e-00", "1.5e3",
        "10.01",
        "123456789012345678901234567890", "0.000000000000000000000000000000001", "1e400", "-1e400", "1e-400",
        "1e999999999999999999999", "9007199254740993", "[-1,-1.5,-1e-1]",
        // §7: escapes.
        #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\u20AC\uFFFF""#, #""\ud83d\ude00""#, #""\uD800\uDC00\uDBFF\uDFFF""#,
        #""\u0000""#, #""\u001f\u007f""#, #""\\u0041""#, #""/""#, "\"\u{7F}\"", "\"'\"",
        // §7, §8: unescaped characters of one to four bytes, at the edges of each length.
        "\"\u{20}\u{7E}\"", "\"\u{80}\u{7FF}\"", "\"\u{800}\u{FFFF}\"", "\"\u{10000}\u{10FFFF}\"",
        "\"\u{D7FF}\u{E000}\"",
        "\"\u{FEFF}\"", "\"\u{2028}\u{2029}\"", "\"e\u{301}\u{FFFD}\"", "{\"é😀\":\"ß\"}",
        // Strings around the eight bytes that are checked at a time.
        "\"1234567\"", "\"12345678\"", "\"123456789\"", "\"1234567é\"", "\"12345678\\n\"", "\"1234567\\\"\"",
        "\"é1234567\"", "\"\\n1234567812345678\"",
    ]

    @Test(arguments: rows, Way.allCases) func validDocumentIsRead(_ document: Document, _ way: Way) {
        #expect(way.breach(document.bytes) == nil)
    }

    @Test(arguments: rows) func validDocumentPassesThePlainGrammar(_ document: Document) {
        #expect(Grammar.accepts(document.bytes))
    }

    @Test(arguments: rows.filter { $0.bytes.contains { $0 > 0x20 } }) func noPrefixIsValid(_ document: Document) throws
    {
        let text = Array(document.bytes.trimmed)
        // A prefix of a number can be a number.
        guard text.contains(where: { [0x22, 0x5B, 0x7B].contains($0) }) || text == Array("true".utf8) else { return }
        for length in 0..<text.count {
            for way in Way.allCases where way != .beside {
                let issue = try #require(way.breach(Array(text[..<length])), "\(length) bytes, \(way)")
                #expect(issue.code == .syntax || issue.code == .invalidUTF8)
                #expect(issue.location.offset <= length)
            }
        }
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83d\uDE00""#, "😀"),
        (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""a\u0000b""#, "a\0b"), ("\"é\\n😀\"", "é\n😀"), ("\"\"", ""),
        ("\"12345678é\"", "12345678é"), (#""1234567\u00e9 and more than eight""#, "1234567é and more than eight"),
        ("\"\u{FFFE}\u{FFFF}\"", "\u{FFFE}\u{FFFF}"), (#""\uFFFF\u0080""#, "\u{FFFF}\u{80}"),
    ])
    func aStringIsReadWithItsEscapesResolved(_ document: String, _ text: String) throws {
        let read = try JSON.decode(String.self, from: document)
        #expect(Array(read.utf8) == Array(text.utf8))
        let asKey = try JSON.decode([String: Int].self, from: "{\(document):1}")
        #expect(asKey.keys.map { Array($0.utf8) } == [Array(text.utf8)])
    }

    @Test func everyScalarIsReadPlainAndEscaped() throws {
        for value in [UInt32](0x20...0x2FF) + [
            0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF,
        ] {
            let scalar = try #require(Unicode.Scalar(value))
            let text = "1234567\(Character(scalar))1234567"
            let escaped = String(scalar).utf16.map { "\\u" + hex($0) }.joined()
            #expect(try JSON.decode(String.self, from: #""1234567\#(escaped)1234567""#) == text)
            guard value != 0x22, value != 0x5C else { continue }
            #expect(try JSON.decode(String.self, from: "\"\(text)\"") == text)
        }
    }

    private func hex(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension [UInt8] {
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 <= 0x20 }
        return drop(while: isBlank).reversed().drop(while: isBlank).reversed()[...]
    }
}
