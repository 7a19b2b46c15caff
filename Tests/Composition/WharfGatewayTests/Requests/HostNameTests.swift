import Testing

@testable import WharfGateway

struct HostNameTests {
    @Test(arguments: [
        ("Example.com", "example.com"), ("example.com:80", "example.com"), ("example.com:", "example.com"),
        ("example.com:8080", "example.com:8080"), ("127.0.0.1:1", "127.0.0.1:1"), ("[::1]:8080", "[::1]:8080"),
        ("[2001:DB8::1]", "[2001:db8::1]"), ("a_b", "a_b"),
    ])
    func hostIsNormalised(text: String, expected: String) {
        #expect(HostName(text)?.description == expected)
    }

    @Test(arguments: [
        "", ":80", "a b", "a/b", "a@b", "user@a:80", "a:b", "a:80:80", "a:99999", "a:-1", "a:+1", "[::1", "[]",
        "[::1]x",
        "[g]", "a\"b", "ä",
    ])
    func invalidHostIsNil(text: String) {
        #expect(HostName(text) == nil)
    }
}
