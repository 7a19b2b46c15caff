import NIOHTTP1
import Testing
import WharfCore

@testable import WharfGateway

struct IncomingRequestTests {
    private func check(
        _ uri: String = "/", _ method: HTTPMethod = .GET, version: HTTPVersion = .http1_1,
        _ fields: [(String, String)] = [("Host", "gate.test:8080")], names: Set<String> = ["gate.test:8080"],
        isSecure: Bool = false,
        _ change: (inout GatewayConfiguration) -> Void = { _ in }
    ) throws -> IncomingRequest {
        var configuration = GatewayConfiguration()
        change(&configuration)
        let site = try Site(
            Site.origin("https://api.example.com"), listening: (host: "127.0.0.1", port: 8080), isSecure: isSecure,
            names: names)
        let head = HTTPRequestHead(version: version, method: method, uri: uri, headers: HTTPHeaders(fields))
        return try IncomingRequest(head, to: site, configuration, client: "192.0.2.7")
    }

    private func status(_ request: @autoclosure () throws -> IncomingRequest) throws -> Int? {
        do {
            _ = try request()
            return nil
        } catch let refusal as Refusal {
            #expect(!refusal.message.isEmpty)
            return refusal.status.code
        }
    }

    // MARK: Targets and hosts

    @Test(arguments: [
        ("/a%2Fb?q=%26", "/a%2Fb?q=%26"), ("http://gate.test:8080/a?b", "/a?b"), ("HTTP://GATE.test:8080", "/"),
        ("http://gate.test:8080?b", "/?b"), ("http://localhost:8080/a", "/a"), ("http://127.0.0.1:8080/a", "/a"),
    ])
    func targetIsPathAndQuery(uri: String, path: String) throws {
        let head = try check(uri).head
        #expect(head.path == path)
        #expect((head.scheme, head.authority) == ("https", "api.example.com"))
    }

    @Test(arguments: [
        ("/%zz", 400), ("/a?b=%4", 400), ("/%", 400), ("/a#b", 400), ("/ä", 400), ("/a\u{7f}", 400), ("a", 400),
        ("*", 400), ("http://other.test/", 421), ("https://gate.test:8080/", 421), ("http:///a", 400),
        ("http://user@gate.test:8080/", 400), ("ftp://gate.test:8080/", 421),
    ])
    func targetThatIsNotTheGatewaysIsRefused(uri: String, expected: Int) throws {
        #expect(try status(check(uri)) == expected)
    }

    /// 443 is the port of https, and 80 is not.
    @Test func defaultPortIsTheSchemes() throws {
        for (host, expected) in [("gate.test", nil), ("gate.test:443", nil), ("gate.test:80", 421)] {
            #expect(try status(check("/", .GET, [("Host", host)], names: ["gate.test"], isSecure: true)) == expected)
        }
        for (host, expected) in [("gate.test", nil), ("gate.test:80", nil), ("gate.test:443", 421)] {
            #expect(try status(check("/", .GET, [("Host", host)], names: ["gate.test"])) == expected)
        }
    }

    @Test func targetHasTheSchemeOfTheGateway() throws {
        #expect(try status(check("https://gate.test:8080/", isSecure: true)) == nil)
        #expect(try status(check("http://gate.test:8080/", isSecure: true)) == 421)
    }

    /// RFC 6455 §4.1
    @Test func webSocketHandshakeIsRecognized() throws {
        let host = ("Host", "gate.test:8080")
        let (upgrade, connection) = (("Upgrade", "h2c, WebSocket"), ("Connection", "keep-alive, Upgrade"))
        #expect(try check("/", .GET, [host, upgrade, connection]).opensWebSocket)
        #expect(try !check("/", .GET, [host, upgrade]).opensWebSocket)
        #expect(try !check("/", .GET, [host, connection, ("Upgrade", "h2c")]).opensWebSocket)
        #expect(try !check("/", .POST, [host, upgrade, connection]).opensWebSocket)
        #expect(try !check("/", .GET, version: .http1_0, [host, upgrade, connection]).opensWebSocket)
        #expect(try !check("/", .GET, [host, upgrade, connection, ("Content-Length", "1")]).opensWebSocket)
    }

    /// RFC 9112 §3.2.2: a target in absolute form replaces Host.
    @Test func hostBesideAnAbsoluteTargetIsIgnored() throws {
        #expect(try status(check("http://gate.test:8080/", .GET, [("Host", "other.test")])) == nil)
        #expect(try status(check("http://other.test/", .GET, [("Host", "gate.test:8080")])) == 421)
    }

    @Test(arguments: [
        ([], 400), ([("Host", "gate.test:8080"), ("Host", "gate.test:8080")], 400), ([("Host", "")], 400),
        ([("Host", "a b")], 400), ([("Host", "other.test")], 421), ([("Host", "gate.test")], 421),
    ])
    func invalidOrForeignHostIsRefused(fields: [(String, String)], expected: Int) throws {
        #expect(try status(check("/", .GET, fields)) == expected)
    }

    @Test func hostMayBeMissingInHTTP10() throws {
        #expect(try status(check(version: .http1_0, [])) == nil)
    }

    @Test func gatewayOnAllInterfacesAcceptsAnyHost() throws {
        let origin = try Site.origin("http://a")
        let open = try Site(origin, listening: (host: "0.0.0.0", port: 80), names: [])
        let named = try Site(origin, listening: (host: "0.0.0.0", port: 80), names: ["gate.test"])
        let other = try #require(HostName("other.test"))
        #expect(open.accepts(other) && !named.accepts(other))
    }

    // MARK: Framing

    @Test(arguments: [
        ([("Content-Length", "5")], IncomingRequest.Body.known(5)), ([("Content-Length", "0")], .none),
        ([("Transfer-Encoding", "Chunked")], .chunked), ([], .none),
    ])
    func framingIsRead(fields: [(String, String)], expected: IncomingRequest.Body) throws {
        #expect(try check("/", .POST, [("Host", "gate.test:8080")] + fields).body == expected)
    }

    @Test(arguments: [
        ([("Content-Length", "5"), ("Transfer-Encoding", "chunked")], 400),
        ([("Content-Length", "5"), ("Content-Length", "6")], 400), ([("Content-Length", "5, 5")], 400),
        ([("Content-Length", "+5")], 400), ([("Content-Length", "")], 400),
        ([("Content-Length", "99999999999999999999")], 400), ([("Transfer-Encoding", "gzip, chunked")], 501),
        ([("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")], 501),
        ([("Transfer-Encoding", "identity")], 501),
    ])
    func ambiguousFramingIsRefused(fields: [(String, String)], expected: Int) throws {
        #expect(try status(check("/", .POST, [("Host", "gate.test:8080")] + fields)) == expected)
    }

    /// RFC 9112 §6.1
    @Test func chunksInHTTP10AreRefused() throws {
        let fields = [("Host", "gate.test:8080"), ("Transfer-Encoding", "chunked")]
        #expect(try status(check("/", .POST, version: .http1_0, fields)) == 400)
    }

    // MARK: Fields

    @Test func fieldsOfTheConnectionAreRemoved() throws {
        let head = try check(
            "/", .POST,
            [
                ("Host", "gate.test:8080"), ("Connection", "close, X-Private"), ("connection", "x-other"),
                ("X-Private", "1"), ("X-Other", "1"), ("Keep-Alive", "timeout=5"), ("TE", "trailers"),
                ("Trailer", "X"), ("Upgrade", "h2c"), ("Proxy-Connection", "close"),
                ("Proxy-Authorization", "Basic eA=="), ("Content-Length", "1"), ("Expect", "100-continue"),
                ("Accept", "a/b"), ("accept", "c/d"),
            ]
        ) { $0.forwarding = .remove }.head
        #expect(head.headerFields.map(\.name.canonicalName) == ["accept", "accept", "via"])
        #expect(head.headerFields[values: .accept] == ["a/b", "c/d"])
        #expect(head.headerFields[.via] == "1.1 wharf")
    }

    @Test func viaIsAppendedWithTheVersionOfTheRequest() throws {
        let fields = [("Host", "gate.test:8080"), ("Via", "1.1 edge")]
        let head = try check(version: .http1_0, fields) { $0.name = "gate" }.head
        #expect(head.headerFields[values: .via] == ["1.1 edge", "1.0 gate"])
    }

    @Test(arguments: [
        (GatewayConfiguration.Forwarding.append, ["198.51.100.1, 192.0.2.7", "https", "public.test"]),
        (.replace, ["192.0.2.7", "http", "gate.test:8080"]), (.remove, []),
    ])
    func xForwardedFollowsThePolicy(forwarding: GatewayConfiguration.Forwarding, expected: [String]) throws {
        let fields = [
            ("Host", "gate.test:8080"), ("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-Proto", "https"),
            ("X-Forwarded-Host", "public.test"),
        ]
        let head = try check("/", .GET, fields) { $0.forwarding = forwarding }.head
        let found = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"].compactMap { name in
            head.headerFields[HTTPField.Name(name)!]
        }
        #expect(found == expected)
    }

    @Test func forwardedNamesClientSchemeAndHost() throws {
        let fields = [("Host", "gate.test:8080"), ("Forwarded", "for=198.51.100.1")]
        let head = try check("/", .GET, fields) { $0.forwardingFields = .forwarded }.head
        let expected = "for=198.51.100.1, for=192.0.2.7;proto=http;host=\"gate.test:8080\""
        #expect(head.headerFields[HTTPField.Name("Forwarded")!] == expected)
        #expect(head.headerFields[HTTPField.Name("X-Forwarded-For")!] == nil)
    }

    // MARK: Methods and limits

    @Test func connectAndTraceAreRefused() throws {
        #expect(try status(check("gate.test:8080", .CONNECT)) == 501)
        #expect(try status(check("/", .TRACE)) == 501)
    }

    @Test func mSearchKeepsItsHyphen() throws {
        #expect(try check("/", .MSEARCH).head.method.rawValue == "M-SEARCH")
    }

    /// RFC 9110 §7.6.2
    @Test func maxForwardsCountsDownForOptions() throws {
        let name = HTTPField.Name("Max-Forwards")!
        let host = ("Host", "gate.test:8080")
        #expect(try check("/", .OPTIONS, [host, ("Max-Forwards", "2")]).head.headerFields[name] == "1")
        #expect(try status(check("/", .OPTIONS, [host, ("Max-Forwards", "0")])) == 200)
        #expect(try status(check("*", .OPTIONS)) == 200)
        #expect(try check("/", .GET, [host, ("Max-Forwards", "2")]).head.headerFields[name] == "2")
    }

    @Test func lengthAboveTheLimitIsRefused() throws {
        let fields = [("Host", "gate.test:8080"), ("Content-Length", "11")]
        #expect(try status(check("/", .PUT, fields) { $0.requestBodyLimit = 10 }) == 413)
        #expect(try status(check("/", .PUT, fields) { $0.requestBodyLimit = 11 }) == nil)
    }

    @Test func unknownExpectationIsRefused() throws {
        #expect(try status(check("/", .PUT, [("Host", "gate.test:8080"), ("Expect", "more")])) == 417)
    }

    @Test func connectionEndsAfterHTTP10CloseAndUpgrade() throws {
        let host = ("Host", "gate.test:8080")
        #expect(try check().isKeepAlive)
        #expect(try !check(version: .http1_0, [host]).isKeepAlive)
        #expect(try !check("/", .GET, [host, ("Connection", "close")]).isKeepAlive)
        #expect(try !check("/", .GET, [host, ("Connection", "Upgrade"), ("Upgrade", "h2c")]).isKeepAlive)
    }
}
