import Testing
import WharfJSON

@Suite struct ExcerptTests {
    @Test(arguments: [
        // The text around the location, or the whole line if it is short.
        (#"{"a": "x"}"#, #"{"a": "x"}"#, 6),
        // The line only, without its end.
        ("{\n  \"a\": \"x\",\r\n  \"b\": 1\r\n}", #"  "a": "x","#, 7),
        // A tab becomes one blank, so that the caret stands below the location.
        ("{\t\"a\":\t\"x\"}", #"{ "a": "x"}"#, 7),
        ("{\"é😀\": 1, \"a\": \"x\"}", "{\"é😀\": 1, \"a\": \"x\"}", 15),
    ])
    func excerptShowsLineWithCaretBelowTheError(_ document: String, _ excerpt: String, _ caret: Int) throws {
        let issue = try #require(failure(Number.self, document).first { $0.code == .typeMismatch })
        #expect(issue.excerpt.text == excerpt)
        #expect(issue.excerpt.caret == caret)
        #expect(issue.description.hasSuffix("\n    \(excerpt)\n    \(String(repeating: " ", count: caret))^"))
    }

    @Test func aLongLineIsCutOnBothSides() throws {
        let before = String(repeating: "é", count: 200)
        let after = String(repeating: "😀", count: 200)
        let issue = try #require(failure(Number.self, #"{"\#(before)": 1, "a": ["\#(after)"]}"#).first)
        #expect(issue.excerpt.caret == 36)
        #expect(issue.excerpt.text.unicodeScalars.count == 72)
        #expect(
            issue.excerpt.text == String(repeating: "é", count: 25) + #"": 1, "a": [""#
                + String(repeating: "😀", count: 34))
    }

    @Test func invalidBytesDoNotLengthenTheExcerpt() throws {
        let document = Array(#"{"a": "x", "b": "#.utf8) + [UInt8](repeating: 0x80, count: 100_000)
        let issues = failure(Number.self, document)
        #expect(issues.map(\.code) == [.typeMismatch, .syntax])
        for issue in issues { #expect(issue.excerpt.text.unicodeScalars.count == 72) }
        #expect(issues.map(\.excerpt.caret) == [6, 16])
    }

    @Test func longFoundValueIsTruncated() throws {
        let long = String(repeating: "0123456789é", count: 50)
        let issue = try #require(failure(Number.self, #"{"a": "\#(long)"}"#).first)
        #expect(issue.found.hasPrefix(#"the string "0123456789é"#))
        #expect(issue.found.hasSuffix(#"…""#))
        #expect(issue.found.utf8.count < 60)
    }

    /// Decodes `{"a": 1}`.
    private struct Number: JSONDecodable {
        static func decode(from json: inout JSONReader) -> Number? {
            guard var fields = json.beginObject() else { return nil }
            var a: Int?
            repeat { json.read("a", 0, into: &a, &fields) } while json.next(&fields)
            return a.map { _ in Number() } ?? json.incomplete(fields, required: [(0, "a")])
        }
    }
}
