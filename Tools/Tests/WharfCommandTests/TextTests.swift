import Foundation
import Testing
import Wharf
import WharfJSON

@testable import WharfCommand

struct TextTests {
    @Test(arguments: [
        (-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min"), (192, "3 min 12 s"), (3600, "1 h"), (7500, "2 h 5 min"),
        (97200, "1 d 3 h"), (63_072_000_000, "2000 years"),
    ])
    func durationsAreFormatted(seconds: Int, text: String) {
        #expect(Plain.duration(.seconds(seconds)) == text)
    }

    @Test(arguments: [(999, "999 B"), (1000, "1.0 kB"), (28_449_999, "28.4 MB"), (999_960, "1.0 MB"), (0, "0 B")])
    func sizesAreFormatted(bytes: Int64, text: String) {
        #expect(Plain.bytes(bytes) == text)
    }

    @Test(arguments: [
        "null", " 1 ", "-0.5e+10", "\"\\u00e9\\\"\"", "[]", "[ ]", "{}", "[1,[2,{\"a\":[]}],\"x\"]",
        "{\"a\" : 1 , \"b\":{}}",
        "123456789012345678901234567890", "1E400", "\"\u{2028}\"",
    ])
    func validJSONIsAccepted(text: String) throws {
        #expect(try JSONText(Array(text.utf8)).bytes == Array(text.utf8))
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "01", "1.", ".5", "+1", "-", "1e", "[1,]", "[1 2]", "[", "]", "{", "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}", "{a:1}", "{1:1}", "\"", "\"\n\"", "\"\\x\"", "\"\\u12\"", "1 2", "[1}", "{\"a\":1]", "'a'", "NaN",
        "//\n1", "\u{FEFF}\u{FEFF}1",
    ])
    func invalidJSONIsRefused(text: String) {
        #expect(throws: JSONError.self) { try JSONText(Array(text.utf8)) }
    }

    @Test func jsonIsPutOnOneLine() throws {
        #expect(try JSONText(Array("\u{FEFF}[1,\r\n \"a\\n\"]\n".utf8)).bytes == Array("[1,   \"a\\n\"] ".utf8))
        #expect(throws: JSONError.self) { try JSONText([0x22, 0xFF, 0x22]) }
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try JSONText(Array(deep.utf8)) }
    }

    @Test(arguments: ["", "a\"b\\c", "\u{0}\u{1F}\n\r\t\u{7F}é\u{1F600}"])
    func stringsAreQuotedAsJSON(text: String) throws {
        let json = "[" + JSONText.quoted(text) + "]"
        #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String] == [text])
    }

    @Test func barIsDrawnAtMostTenTimesASecond() {
        var bar = ProgressBar(total: 10_000_000, at: .zero)
        var drawn = 0
        for step in 1...1000 where bar.advance(by: 10_000, at: .milliseconds(step)) { drawn += 1 }
        #expect(drawn == 8, "every 100 ms from 300 ms on")
        var small = ProgressBar(total: 1_000_000, at: .zero)
        let drawsSmall = small.advance(by: 1_000_000, at: .seconds(1))
        #expect(!drawsSmall)
        var unknown = ProgressBar(total: nil, at: .zero)
        let drawsEarly = unknown.advance(by: 1_000_000, at: .seconds(1))
        let drawsLate = unknown.advance(by: 1, at: .seconds(1))
        #expect(!drawsEarly && drawsLate)
    }

    @Test func barFitsTheTerminal() {
        var bar = ProgressBar(total: 28_400_000, at: .zero)
        _ = bar.advance(by: 12_300_000, at: .seconds(3))
        #expect(
            bar.text(at: .seconds(3), columns: 80)
                == " 43% [##############...................] 12.3 MB of 28.4 MB, 4.1 MB/s, 4 s left")
        for columns in 1...120 { #expect(bar.text(at: .seconds(3), columns: columns).count < columns) }
        var unknown = ProgressBar(total: nil, at: .zero)
        _ = unknown.advance(by: 2_000_000, at: .seconds(2))
        #expect(unknown.text(at: .seconds(2), columns: 80) == "2.0 MB, 1.0 MB/s")
    }
}
