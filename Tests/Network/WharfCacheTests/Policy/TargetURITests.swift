import Testing
import WharfCache
import WharfCore

@Suite struct TargetURITests {
    private func target(_ scheme: String?, _ authority: String?, _ path: String?) -> String? {
        TargetURI.of(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))?.text
    }

    @Test func targetURIHasOneNormalForm() {
        #expect(target("https", "example.com", "/a?b=C") == "https://example.com/a?b=C")
        #expect(target("HTTPS", "EXAMPLE.com:443", "/A") == "https://example.com/A")
        #expect(target("http", "example.com:80", "/") == "http://example.com/")
        #expect(target("http", "example.com:443", "/") == "http://example.com:443/")
        #expect(target("http", "example.com:", "") == "http://example.com/")
        #expect(target("http", "Me:Pw@Example.com", "/") == "http://Me:Pw@example.com/")
        #expect(target("http", "[::1]:8080", "/#top") == "http://[::1]:8080/")
        #expect(target("https", "example.com", nil) == "https://example.com/")
        #expect(target("https", "example.com", "?q") == "https://example.com/?q")
    }

    // `HTTPRequest` trims a path, and makes a space of DEL. The normal form trims before a
    // fragment, so the two requests have one key.
    @Test(arguments: ["/a", "/a ", "/a #top", "/a\u{7F}#top", "/a \u{7F}\t#\u{301}"])
    func spaceAtTheEndOfAPathIsNoPartOfTheTarget(path: String) {
        #expect(target("http", "example.com", path) == "http://example.com/a")
    }

    @Test func nonHTTPTargetIsRefused() {
        #expect(target("file", "", "/etc") == nil)
        #expect(target("ftp", "example.com", "/") == nil)
        #expect(target(nil, "example.com", "/") == nil)
        #expect(target("https", nil, "/") == nil)
    }

    @Test(
        arguments: [
            ("/x", "https://example.com/x"), ("x", "https://example.com/a/x"), ("./x", "https://example.com/a/x"),
            ("../x", "https://example.com/x"), ("../../../x", "https://example.com/x"), ("..", "https://example.com/"),
            (".", "https://example.com/a/"), ("?y", "https://example.com/a/b?y"), ("", "https://example.com/a/b?q"),
            ("#f", "https://example.com/a/b?q"), ("x?a=/../b", "https://example.com/a/x?a=/../b"),
            ("//other.org/x", "https://other.org/x"), ("http://OTHER.org", "http://other.org/"),
            ("https://example.com:443/a/./b", "https://example.com/a/b"), ("mailto:me", nil), ("https:x", nil),
            ("a:b", nil), ("./a:b", "https://example.com/a/a:b"), ("/a//b", "https://example.com/a//b"),
        ] as [(String, String?)])
    func resolvesReferences(reference: String, expected: String?) {
        let base = TargetURI.of(HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a/b?q"))
        #expect(base?.resolve(reference)?.text == expected)
    }
}
