import Testing
import WharfChecks
import WharfPresentation

@Suite struct LinkTests {
    @Test(arguments: [
        ("HTTPS://Example.COM:443/film/42/?q=a+b#cast", "https://example.com/film/42?q=a%20b#cast"),
        ("https://example.com", "https://example.com/"),
        ("http://example.com:80?", "http://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("https://example.com:/a", "https://example.com/a"),
        ("https://[2001:DB8::1]:8443/a", "https://[2001:db8::1]:8443/a"),
        ("https://ex%61mple.com/%7euser/%2f%2F", "https://example.com/~user/%2F%2F"),
        ("https://example.com/a/./b/../../c", "https://example.com/c"),
        ("https://example.com/a/%2e%2E/b/.", "https://example.com/b"),
        ("https://example.com/../../a", "https://example.com/a"),
        ("https://example.com//a//", "https://example.com//a//"),
        ("https://example.com/\u{1F3AC}/é", "https://example.com/%F0%9F%8E%AC/%C3%A9"),
        ("https://example.com/%25%2541", "https://example.com/%25%2541"),
        ("https://example.com/a+b?a+b=c%2Bd", "https://example.com/a%2Bb?a%20b=c%2Bd"),
        ("https://example.com/?&a&&b=&=c&a=1=2", "https://example.com/?a&b=&=c&a=1%3D2"),
        ("demo:film/42", "demo:///film/42"),
        ("demo:///film/42", "demo:///film/42"),
        ("demo://film/42", "demo://film/42"),
        ("demo:", "demo:///"),
        ("https://example.com/a?x/y?z#?#", "https://example.com/a?x%2Fy%3Fz#%3F%23"),
    ])
    func linkIsNormalizedToItsCanonicalForm(text: String, canonical: String) throws {
        let link = try Link(text)
        #expect("\(link)" == canonical)
        #expect(try Link(canonical) == link)
    }

    @Test(arguments: [
        ("/film/42", RoutingError.Code.malformedLink, 0), ("", .malformedLink, 0), ("1a:b", .malformedLink, 0),
        ("a_b://c", .malformedLink, 0), ("https://exa mple.com", .malformedLink, 11),
        ("https://a/\n", .malformedLink, 10), ("https://user:pw@example.com/", .malformedLink, 8),
        ("https://example.com@evil.com/", .malformedLink, 8), ("https://a\\b/", .malformedLink, 8),
        ("https://m\u{FC}nchen.de/", .malformedLink, 8), ("https://%E2%84%AAelvin.com/", .malformedLink, 8),
        ("https://[::1/", .malformedLink, 8), ("https://[abc]/", .malformedLink, 8),
        ("https://:80/", .malformedLink, 8), ("https://[::1]a/", .malformedLink, 8),
        ("https://a:70000/", .malformedLink, 10), ("https://a:-1/", .malformedLink, 10),
        ("https://a/%", .malformedEscape, 10), ("https://a/b%2", .malformedEscape, 11),
        ("https://a/%zz", .malformedEscape, 10), ("https://a/?q=%+1", .malformedEscape, 13),
        ("https://a/x/%FF%41", .malformedEscape, 12), ("https://a/#%C3", .malformedEscape, 11),
        ("https://a%/", .malformedEscape, 9),
    ])
    func malformedLinkIsRefusedAtItsOffset(text: String, code: RoutingError.Code, offset: Int) throws {
        let error = try #require(throws: RoutingError.self) { try Link(text) }
        #expect(error.code == code && error.offset == offset, "\(error) at \(error.offset ?? -1)")
        #expect(!error.message.contains("pw"))
    }

    @Test func textBeyondASCIIIsEncodedOnceByItsBytes() throws {
        try #expect(
            AppRoute.search(text: "\u{1F1E9}e\u{301} +&=%41/", page: nil).link().description
                == "https://example.com/search?q=%F0%9F%87%A9e%CC%81%20%2B%26%3D%2541%2F")
        try #expect(
            AppRoute.review(film: -1, author: "a/b\u{1F3AC}").link().description
                == "https://example.com/film/-1/review/a%2Fb%F0%9F%8E%AC")
    }

    @Test func printedLinkIsReadBackUnchanged() async throws {
        let pieces = Generator<String>.element(of: [
            "/", "//", ".", "..", "%2E", "%2F", "?", "&", "=", "#", "+", "%20", "a", ":", "@", "%C3%A9", "é", "%00",
            "%", "[", "]",
            "80", "http", "https:", "//b", "\\", ";",
        ])
        try await forAll(.array(of: pieces, count: 0...12), runs: 3_000) { pieces in
            let text = "https://a.b" + pieces.joined()
            let link: Link
            do { link = try Link(text) } catch { return }
            let printed = "\(link)"
            let again = try Link(printed)
            try require(again == link, "\(text) is printed as \(printed), which is read as \(again)")
            try require("\(again)" == printed, "\(printed) is printed again as \(again)")
        }
    }

    @Test func anyTextIsALinkOrAnErrorWithAnOffset() async throws {
        try await forAll(.string(count: 0...40), runs: 3_000) { text in
            for text in [text, "https:" + text, "https://" + text, "https://a/" + text] {
                do throws(RoutingError) { _ = try Link(text) } catch {
                    let offset = try require(error.offset, "\(error) has no place")
                    try require(
                        (0...text.utf8.count).contains(offset), "\(offset) is outside of \(text.debugDescription)")
                }
            }
        }
    }
}
