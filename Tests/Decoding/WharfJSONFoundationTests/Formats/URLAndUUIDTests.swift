import Foundation
import Testing
import WharfJSON
import WharfJSONFoundation

@Suite struct URLAndUUIDTests {
    @Test(arguments: [
        "https://example.com/a%20b?q=1#top", "mailto:ann@example.com", "/relative/path", "//host/x",
        "urn:isbn:0451450523",
        "https:\\/\\/example.com\\/", "http://[::1]:8080/",
    ])
    func aURLIsReadAsItStands(_ text: String) throws {
        let plain = text.replacingOccurrences(of: "\\", with: "")
        let url = try decoded(Own<URL>.self, "\"\(text)\"")
        #expect(url.absoluteString == plain)
        #expect(try encoded(Own<URL>.self, url) == "\"\(plain)\"")
    }

    @Test(arguments: ["", "a b", "https://example.com/ä", "https://exa mple.com", "http://[::1", "%zz"])
    func malformedURLIsALocatedError(_ text: String) throws {
        #expect(try issue(Own<URL>.self, "\"\(text)\"").code == .invalidValue)
    }

    @Test func relativeURLIsWrittenAsAbsolute() throws {
        let url = try #require(URL(string: "b", relativeTo: URL(string: "https://example.com/a/")))
        #expect(try encoded(Own<URL>.self, url) == "\"https://example.com/a/b\"")
    }

    @Test func anyUUIDIsReadBack() throws {
        for _ in 0..<500 {
            let uuid = UUID()
            #expect(try encoded(Own<UUID>.self, uuid) == "\"\(uuid.uuidString)\"")
            #expect(try decoded(Own<UUID>.self, "\"\(uuid.uuidString)\"") == uuid)
            #expect(try decoded(Own<UUID>.self, "\"\(uuid.uuidString.lowercased())\"") == uuid)
        }
    }

    @Test(arguments: [
        "", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF67",
        "F81D4FAE7DEC11D0A76500A0C91E6BF6",
        "{F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6}", "G81D4FAE-7DEC-11D0-A765-00A0C91E6BF6",
        "F81D4FAE-7DEC-11D0-A76500A0C91E6BF6--", "F81D4FA-E7DEC-11D0-A765-00A0C91E6BF6",
    ])
    func malformedUUIDIsALocatedError(_ text: String) throws {
        #expect(try issue(Own<UUID>.self, "\"\(text)\"").code == .invalidValue)
    }

    @Test func aUUIDCanBeAKey() throws {
        let uuid = UUID()
        let bytes = try JSON.encode([uuid: 1])
        #expect(try JSON.decode([UUID: Int].self, from: bytes) == [uuid: 1])
        let error = #expect(throws: JSONError.self) { try JSON.decode([UUID: Int].self, from: #"{"x": 1}"#) }
        #expect(error?.code == .invalidValue)
    }

    @Test func otherKindsOfValuesAreTypeMismatches() throws {
        #expect(try issue(Own<URL>.self, "1").code == .typeMismatch)
        #expect(try issue(Own<UUID>.self, "null").code == .typeMismatch)
    }
}
