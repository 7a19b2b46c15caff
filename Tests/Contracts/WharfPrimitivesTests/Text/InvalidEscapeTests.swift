import Testing
import WharfPrimitives

struct InvalidEscapeTests {
    @Test(arguments: ["", "/a", "/%41%c3%A9?%2f=%00", "é%C3%A9"])
    func validEscapesPass(text: String) { #expect(InvalidEscape(in: text) == nil) }

    @Test(arguments: [
        ("%", 1, "%"), ("/a%zz", 3, "/a%zz"), ("/%2", 2, "/%2"), ("é%g0", 2, "é%g0"), ("%41%4g?x", 4, "%41%4g"),
    ])
    func reportedPositionCountsCharacters(text: String, place: Int, shown: String) {
        let escape = InvalidEscape(in: text)
        #expect(escape?.place == place)
        #expect(escape?.message.contains("character \(place) of \"\(shown)\"") == true)
    }

    @Test func messageDoesNotQuoteTheQuery() {
        let escape = InvalidEscape(in: "/a?key=hunter2%")
        #expect(escape?.message.contains("character 15, in the query after \"/a\"") == true)
        #expect(escape?.message.contains("hunter2") == false)
    }
}
