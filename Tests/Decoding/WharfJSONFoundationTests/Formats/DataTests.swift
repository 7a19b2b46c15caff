import Foundation
import Testing
import WharfJSON
import WharfJSONFoundation
import WharfRandom

@Suite struct DataTests {
    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
        ("Zm9vYmFy", "foobar"), ("Pj8\\/", ">??"), ("\\u005am9v", "foo"),
    ])
    func bytesAreReadFromBase64(_ row: (text: String, bytes: String)) throws {
        let data = try decoded(Own<Data>.self, "\"\(row.text)\"")
        #expect(data == (row.text == "Pj8\\/" ? Data([0x3E, 0x3F, 0x3F]) : Data(row.bytes.utf8)))
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "Zm8", "====", "=", "Zm9v\\n", "Zm 9", "Zm9_", "Zm9-", "Zh==", "Zm9=", "Z===",
        "=m9v",
        "Zg==Zg==", "Zg=v", "Zm9\u{E9}",
    ])
    func nonCanonicalBase64IsALocatedError(_ text: String) throws {
        let issue = try issue(Own<Data>.self, "\"\(text)\"")
        #expect(issue.code == .invalidValue)
        #expect(issue.expected.contains("base64"))
    }

    @Test func nonStringIsATypeMismatch() throws {
        #expect(try issue(Own<Data>.self, "[1, 2]").code == .typeMismatch)
    }

    @Test func anyBytesAreReadBackAndAgreeWithFoundation() throws {
        var random = SeededGenerator(seed: 4)
        for length in 0..<600 {
            let data = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            let text = try encoded(Own<Data>.self, data)
            #expect(text == "\"\(data.base64EncodedString())\"")
            #expect(try decoded(Own<Data>.self, text) == data)
            // A slice, whose indices do not begin at 0.
            let tail = data.dropFirst(length / 2)
            #expect(try decoded(Own<Data>.self, encoded(Own<Data>.self, tail)) == tail)
        }
    }
}
