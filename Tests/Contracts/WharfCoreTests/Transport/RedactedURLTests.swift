import Testing
import WharfCore

struct RedactedURLTests {
    @Test(arguments: [
        ("https://a.test/1", "https://a.test/1"), ("https://a.test/1?", "https://a.test/1?"),
        ("https://a.test/1?a=hunter2&b=hunter2&hunter2#hunter2", "https://a.test/1?a=***&b=***&***"),
        ("https://ada:hunter2@a.test/x@y?z=a@b", "https://a.test/x@y?z=***"), ("/1?a=hunter2", "/1?a=***"),
        ("//ada@a.test", "//a.test"), ("/x//y@z", "/x//y@z"), ("", ""), ("nonsense", "nonsense"), ("?hunter2", "?***"),
        ("a?b?hunter2", "a?***"),
    ])
    func queryValuesAndUserInfoAreLeftOut(url: String, shown: String) {
        #expect(RedactedURL.text(url) == shown)
    }

    @Test func namedQueryValueIsShown() {
        #expect(RedactedURL.text("/1?page=2&key=hunter2", showing: ["page"]) == "/1?page=2&key=***")
    }
}
