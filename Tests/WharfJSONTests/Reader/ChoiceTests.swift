import Testing
import WharfJSON

/// What RFC 8259 leaves to the implementation, and the answer of this one.
@Suite struct ChoiceTests {
    @Test(arguments: Way.allCases) func aByteOrderMarkIsAnErrorAtTheStart(_ way: Way) throws {
        // §8.1: a parser MAY ignore it. A sender MUST NOT add it, so it is said.
        let issue = try #require(way.breach([0xEF, 0xBB, 0xBF] + Array("{}".utf8)))
        #expect(issue.code == .syntax)
        #expect(issue.found == "the byte 0xEF")
    }

    @Test func ofARepeatedKeyTheFirstValueCounts() throws {
        // §4: unpredictable. Here the first, or an error where that is asked for.
        #expect(try JSON.decode([String: Int].self, from: #"{"a":1,"a":2,"b":3,"\u0061":4}"#) == ["a": 1, "b": 3])
        #expect(try text(JSON.decode(JSONValue.self, from: #"{"a":1,"a":2}"#)) == #"{"a":1,"a":2}"#)
    }

    @Test func aNumberIsAsLargeAndAsExactAsTheTypeThatReadsIt() throws {
        // §6: limits on range and precision. The tree keeps the text.
        #expect(failure(Double.self, "1e400").map(\.code) == [.outOfRange])
        #expect(failure(Double.self, "-1e400").map(\.code) == [.outOfRange])
        #expect(try JSON.decode(Double.self, from: "1e-400") == 0)
        #expect(try JSON.decode(Double.self, from: "-1e-400").sign == .minus)
        #expect(try text(JSON.decode(JSONValue.self, from: "1e400")) == "1e400")
        #expect(try JSON.decode(Double.self, from: "9007199254740993") == 9_007_199_254_740_992)
        #expect(try JSON.decode(Int.self, from: "9007199254740993") == 9_007_199_254_740_993)
    }

    @Test func stringsAreComparedByTheirBytes() throws {
        // §8.3. In Swift's dictionaries canonically equal keys are one; the first counts there as well.
        let document = "{\"e\u{301}\":1,\"\u{E9}\":2}"
        #expect(try JSON.decode(Int.self, from: document, at: "\u{E9}") == 2)
        #expect(try JSON.decode(Int.self, from: document, at: "e\u{301}") == 1)
        let tree = try JSON.decode(JSONValue.self, from: document)
        #expect(tree["\u{E9}"] == 2)
        #expect(tree["e\u{301}"] == 1)
        #expect(try JSON.decode([String: Int].self, from: document).count == 1)
        let strict = JSONReadingOptions(duplicateKeys: .reject)
        #expect(try JSON.decode(JSONValue.self, from: JSONBytes(document), options: strict)["e\u{301}"] == 1)
    }

    @Test func aNonCharacterIsKept() throws {
        let text = try JSON.decode(String.self, from: #""\uFFFE\uFDD0""#)
        #expect(text.unicodeScalars.map(\.value) == [0xFFFE, 0xFDD0])
    }
}
