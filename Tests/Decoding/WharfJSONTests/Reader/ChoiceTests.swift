import Testing
import WharfJSON

/// The choices that RFC 8259 leaves to implementations, and this library's decisions.
@Suite struct ChoiceTests {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @Test func aByteOrderMarkIsPassedOver() throws {
        // §8.1: a parser MAY ignore a byte order mark.
        #expect(try JSON.decode(Int.self, from: Self.mark + Array(" 1".utf8)) == 1)
    }

    @Test(arguments: [
        mark + mark + [0x31], mark, [0x31] + mark, [0xFF, 0xFE, 0x31, 0], Array(mark.prefix(2)) + [0x31],
    ])
    func misplacedOrForeignByteOrderMarkIsAnError(_ bytes: [UInt8]) {
        for way in Way.allCases where way != .beside {
            #expect(way.breach(bytes)?.code == .syntax)
        }
    }

    @Test func firstValueOfRepeatedKeyWins() throws {
        // §4 calls the behaviour unpredictable. Here the first value counts, or an error is an
        // option.
        #expect(try JSON.decode([String: Int].self, from: #"{"a":1,"a":2,"b":3,"\u0061":4}"#) == ["a": 1, "b": 3])
        #expect(try text(JSON.decode(JSONValue.self, from: #"{"a":1,"a":2}"#)) == #"{"a":1,"a":2}"#)
    }

    @Test func numberRangeAndPrecisionFollowTheType() throws {
        // §6 allows limits on range and precision. The tree keeps the text.
        #expect(failure(Double.self, "1e400").map(\.code) == [.outOfRange])
        #expect(failure(Double.self, "-1e400").map(\.code) == [.outOfRange])
        #expect(try JSON.decode(Double.self, from: "1e-400") == 0)
        #expect(try JSON.decode(Double.self, from: "-1e-400").sign == .minus)
        #expect(try text(JSON.decode(JSONValue.self, from: "1e400")) == "1e400")
        #expect(try JSON.decode(Double.self, from: "9007199254740993") == 9_007_199_254_740_992)
        #expect(try JSON.decode(Int.self, from: "9007199254740993") == 9_007_199_254_740_993)
    }

    @Test func stringsAreComparedByTheirBytes() throws {
        // §8.3. Canonically equal keys are equal in Swift's dictionaries, where the first one
        // counts too.
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
