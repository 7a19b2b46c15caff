import Testing
import WharfCore
import WharfHTTP

@Suite struct APIEnvironmentTests {
    @Test(arguments: [
        ("https://api.example.com", "users", "https", "api.example.com", "/users"),
        ("https://api.example.com/", "/users", "https", "api.example.com", "/users"),
        ("https://api.example.com/v1", "users/1", "https", "api.example.com", "/v1/users/1"),
        ("https://api.example.com/v1/", "/users/1/", "https", "api.example.com", "/v1/users/1/"),
        ("https://api.example.com/v1/", "", "https", "api.example.com", "/v1/"),
        ("https://api.example.com", "", "https", "api.example.com", "/"),
        ("HTTP://API.Example.com:8080/a b", "x", "http", "api.example.com:8080", "/a%20b/x"),
        ("https://h:443", "x", "https", "h", "/x"),
        ("http://h:", "x", "http", "h", "/x"),
        ("http://h:443", "x", "http", "h:443", "/x"),
        ("http://[2001:DB8::1]:8080/v1", "x", "http", "[2001:db8::1]:8080", "/v1/x"),
        ("http://[::1]", "x", "http", "[::1]", "/x"),
        ("https://xn--bcher-kva.example", "x", "https", "xn--bcher-kva.example", "/x"),
        ("https://h/v1#top", "x", "https", "h", "/v1/x"),
    ])
    func aPathIsJoinedToTheBase(
        _ row: (base: String, path: String, scheme: String, authority: String, sent: String)
    )
        throws
    {
        let head = try APIEnvironment(row.base).head(for: .get(RequestPath(row.path), decoding: .bytes))
        #expect(head.scheme == row.scheme)
        #expect(head.authority == row.authority)
        #expect(head.path == row.sent)
    }

    @Test(arguments: ["file:///tmp/data dir", "file:/tmp/data dir/", "file://localhost/tmp/data dir"])
    func directoryURLIsAcceptedAsBase(_ base: String) throws {
        let head = try APIEnvironment(base).head(for: .get("users.json", decoding: .bytes))
        #expect(head.scheme == "file")
        #expect(head.authority == nil)
        #expect(head.path == "/tmp/data%20dir/users.json")
    }

    @Test(arguments: [
        ("api.example.com", "no scheme"),
        ("", "no scheme"),
        ("ftp://h", "\"ftp\""),
        ("https://", "expected a host"),
        ("https:///path", "expected a host"),
        ("https:h", "expected a host"),
        ("https://ann:hunter2@h", "user name or password"),
        ("https://b\u{FC}cher.example", "xn--"),
        ("https://h:99999", "65535"),
        ("https://h:8x", "port number"),
        ("https://h h", "host name"),
        ("https://[::1", "IPv6"),
        ("https://[nope]", "IPv6"),
        ("https://h?key=1", "without a query"),
        ("file:relative", "absolute path"),
        ("https://h/a%zz", "% at character 12 of \"https://h/a%zz\""),
        ("file://server/share", "on this machine"),
    ])
    func invalidBaseURLIsRefusedWithTheReason(_ row: (base: String, reason: String)) {
        let failure = #expect(throws: ReadFailure.self) { try APIEnvironment(row.base) }
        #expect(failure?.code == .invalidRequest)
        #expect(failure?.message.contains(row.reason) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("hunter2") == false)
    }

    @Test(arguments: [
        ("https://h/a%zz?key=hunter2", "% at character 12 of \"https://h/a%zz\""),
        ("https://h/a?key=hunter2%", "% at character 24, in the query after \"https://h/a\""),
        ("https://h/a?%zz=hunter2#top", "% at character 13, in the query after \"https://h/a\""),
    ])
    func refusalOfInvalidEscapeHidesTheQuery(_ row: (url: String, place: String)) {
        let failure = #expect(throws: ReadFailure.self) {
            try APIEnvironment.absoluteURLs.head(for: .get(url: row.url, decoding: .bytes))
        }
        #expect(failure?.code == .invalidRequest)
        #expect(failure?.message.contains(row.place) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("hunter2") == false)
    }

    @Test func aFragmentIsNotSentSoItsEscapesDoNotMatter() throws {
        let request = Request<[UInt8]>.get(url: "https://h/a#100%", decoding: .bytes)
        #expect(try APIEnvironment.absoluteURLs.head(for: request).path == "/a")
    }

    @Test func theFieldsOfTheRequestWin() throws {
        let environment = try APIEnvironment("https://h", fields: [.userAgent: "default", .acceptLanguage: "en"])
        var fields: HTTPFields = [.userAgent: "special"]
        fields[fields: .cookie] = [HTTPField(name: .cookie, value: "a=1"), HTTPField(name: .cookie, value: "b=2")]
        let head = try environment.head(for: .get("x", fields: fields, decoding: .bytes))
        #expect(head.headerFields[values: .userAgent] == ["special"])
        #expect(head.headerFields[values: .acceptLanguage] == ["en"])
        #expect(head.headerFields[fields: .cookie].map(\.value) == ["a=1", "b=2"])
    }

    @Test(arguments: [
        ("https://h/next?page=2", true),
        ("https://H:443/next?page=2", true),
        ("https://h/", true),
        ("http://h/next", false),
        ("https://h:8443/next", false),
        ("https://sub.h/next", false),
        ("https://other/next", false),
    ])
    func environmentFieldsAreSentToItsOriginOnly(_ row: (url: String, isSent: Bool)) throws {
        let environment = try APIEnvironment("https://h/v1", fields: [.authorization: "Bearer secret"])
        let head = try environment.head(for: .get(url: row.url, decoding: .bytes))
        #expect((head.headerFields[.authorization] != nil) == row.isSent)
    }

    @Test func fileURLGetsNoEnvironmentFields() throws {
        let environment = try APIEnvironment("file:///a", fields: [.authorization: "Bearer secret"])
        #expect(try environment.head(for: .get(url: "file:///b", decoding: .bytes)).headerFields.isEmpty)
    }

    @Test(arguments: [
        ("https://h/next?page=2&q=a%20b", "/next?page=2&q=a%20b&extra=1"),
        ("https://h/a b?q=\u{E9}[]", "/a%20b?q=%C3%A9%5B%5D&extra=1"),
        ("https://h?page=2", "/?page=2&extra=1"),
        ("https://h/x?next=/a?b#top", "/x?next=/a?b&extra=1"),
    ])
    func anAbsoluteURLKeepsItsQuery(_ row: (url: String, path: String)) throws {
        let environment = try APIEnvironment("https://h/v1")
        #expect(try environment.head(for: .get(url: row.url, query: ["extra": "1"], decoding: .bytes)).path == row.path)
    }

    @Test func environmentWithoutBaseAcceptsAbsoluteURLsOnly() throws {
        let environment = APIEnvironment.absoluteURLs
        #expect(try environment.head(for: .get(url: "http://h:8080/x?y=1", decoding: .bytes)).path == "/x?y=1")
        let failure = #expect(throws: ReadFailure.self) { try environment.head(for: .get("x", decoding: .bytes)) }
        #expect(failure?.code == .invalidRequest)
    }
}
