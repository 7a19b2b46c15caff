#if os(Linux)
import Testing
import WharfCore

@testable import WharfCurl

struct TargetTests {
    private func target(
        _ authority: String, _ path: String = "/", _ scheme: String = "http"
    ) throws(TransportError) -> Target {
        try Target(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
    }

    @Test(arguments: [
        ("Example.com:80", "Example.com", "http://Example.com:80/"), ("user:pw@h", "h", "http://h/"),
        ("h:", "h", "http://h/"),
        ("local%68ost", "localhost", "http://localhost/"), ("[::1]:8080", "[::1]", "http://[::1]:8080/"),
        ("[fe80::1%25eth0]", "[fe80::1%25eth0]", "http://[fe80::1%25eth0]/"),
    ])
    func readsTheHost(authority: String, host: String, url: String) throws {
        let target = try target(authority)
        #expect(target.host == host)
        #expect(target.url == url)
    }

    @Test func requestsOfOneOriginShareConnections() throws {
        #expect(try target("H:80").origin == target("h:80", "/x").origin)
        #expect(try target("h:80").origin != target("h:81").origin)
        #expect(try target("h").origin != target("h", "/", "https").origin)
    }

    @Test(arguments: [
        ("ftp", "h", "/"), ("file", "", "/etc/hosts"), ("", "h", "/"), ("http", "", "/"), ("http", "h", "/a b"),
        ("http", "h", "/{x}"), ("http", "h:x", "/"), ("http", "h:65536", "/"), ("http", "a b", "/"),
        ("http", "a/b", "/"),
        ("http", "[::1", "/"), ("http", "[]", "/"), ("http", "::1", "/"), ("http", "bücher.example", "/"),
        ("http", "h", "/x#y"),
        ("http", "h", "/100%"), ("http", "h", "/%4"), ("http", "h", "/%zz"), ("http", "h", "/a\r\nb"),
        ("http", "h", "/ü"),
    ])
    func invalidURLIsRefused(scheme: String, authority: String, path: String) {
        let error = #expect(throws: TransportError.self) { try target(authority, path, scheme) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func invalidByteIsLocatedWithoutRevealingTheQuery() {
        let error = #expect(throws: TransportError.self) { try target("h", "/x?token=secret value") }
        #expect(error?.message.contains("byte 16 ") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("secret") == false)
    }

    @Test func invalidEscapeIsLocatedWithoutRevealingTheQuery() {
        let error = #expect(throws: TransportError.self) { try target("h", "/x?token=secret%zz") }
        #expect(error?.message.contains("character 16, in the query") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("secret") == false)
    }

    @Test func optionsMayAskForTheWholeServer() throws {
        let target = try Target(HTTPRequest(method: .options, scheme: "http", authority: "h", path: "*"))
        #expect(target.isAsterisk)
        #expect(target.url == "http://h")
    }
}
#endif
