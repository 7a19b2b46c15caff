import Testing
import WharfCore
import WharfFakes
import WharfHTTP

struct RedirectingTransportTests {
    private func redirect(_ status: Int, _ location: String) -> StubAnswer {
        .respond(.init(code: status), fields: [.location: location], "moved")
    }

    private func origin(_ answers: [StubAnswer]) -> StubTransport { StubTransport(answers) }

    private struct MethodRow: Sendable, CustomStringConvertible {
        let status: Int
        let method: HTTPRequest.Method
        let next: HTTPRequest.Method
        var description: String { "\(status) \(method)" }
    }

    private static let methodTable: [MethodRow] = [
        MethodRow(status: 301, method: .get, next: .get), MethodRow(status: 301, method: .head, next: .head),
        MethodRow(status: 301, method: .post, next: .get), MethodRow(status: 301, method: .put, next: .put),
        MethodRow(status: 302, method: .post, next: .get), MethodRow(status: 302, method: .delete, next: .delete),
        MethodRow(status: 303, method: .get, next: .get), MethodRow(status: 303, method: .head, next: .head),
        MethodRow(status: 303, method: .post, next: .get), MethodRow(status: 303, method: .put, next: .get),
        MethodRow(status: 303, method: .delete, next: .get), MethodRow(status: 307, method: .post, next: .post),
        MethodRow(status: 307, method: .get, next: .get), MethodRow(status: 308, method: .post, next: .post),
        MethodRow(status: 308, method: .patch, next: .patch),
    ]

    @Test(arguments: methodTable)
    private func keepsOrChangesTheMethodByTheTable(row: MethodRow) async throws {
        let base = origin([redirect(row.status, "/next"), .ok("there")])
        var request = TransportRequest(.get("/"))
        request.head.method = row.method
        let hasBody = row.method != .get && row.method != .head
        if hasBody {
            request.body = .bytes([1, 2, 3])
            request.head.headerFields[.contentType] = "text/plain"
        }
        let response = try await RedirectingTransport(base).send(request)
        #expect(response.head.status == .ok)
        let sent = try #require(base.requests.last)
        #expect(sent.head.method == row.next)
        #expect(sent.head.path == "/next")
        let keepsBody = hasBody && row.next == row.method
        #expect(sent.head.headerFields[.contentType] == (keepsBody ? "text/plain" : nil))
        if case .bytes(let bytes) = sent.body { #expect(keepsBody && bytes == [1, 2, 3]) } else { #expect(!keepsBody) }
    }

    @Test(arguments: [300, 304, 305, 306, 200, 400])
    func doesNotFollowOtherStatuses(status: Int) async throws {
        let base = origin([redirect(status, "/next")])
        let response = try await RedirectingTransport(base).send(TransportRequest(.get("/")))
        #expect(response.head.status.code == status)
        #expect(base.requests.count == 1)
    }

    @Test func aRedirectWithoutLocationIsTheAnswer() async throws {
        let response = try await RedirectingTransport(origin([.respond(.found, "moved")])).send(
            TransportRequest(.get("/")))
        #expect(response.head.status == .found)
        #expect(try await response.body.collect() == Array("moved".utf8))
    }

    /// The examples of RFC 3986 §5.4, and references that servers send against it.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"),
        ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../../../g", "http://a/g"),
        ("https://h:8443/x?y=%2F#f", "https://h:8443/x?y=%2F"), ("HTTP://H/x", "http://H/x"),
        ("/a b/ä", "http://a/a%20b/%C3%A4"), ("/q?a={1}&b=%7B", "http://a/q?a=%7B1%7D&b=%7B"),
        ("http://[::1]:80/x", "http://[::1]:80/x"),
    ])
    func resolvesLocation(location: String, expected: String) async throws {
        let base = origin([redirect(302, location), .ok("there")])
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/b/c/d;p?q")
        _ = try await RedirectingTransport(base).send(TransportRequest(head))
        let sent = try #require(base.requests.last?.head)
        #expect("\(sent.scheme ?? "")://\(sent.authority ?? "")\(sent.path ?? "")" == expected)
    }

    @Test(arguments: [
        ("/next", true), ("http://origin.example:80/next", true), ("http://ORIGIN.example/next", true),
        ("http://other.example/next", false), ("http://origin.example:8080/next", false),
        ("https://origin.example/next", false), ("http://sub.origin.example/", false),
    ])
    func keepsCredentialsWithinTheOriginOnly(location: String, kept: Bool) async throws {
        let base = origin([redirect(307, location), .ok("there")])
        var request = TransportRequest(.get("/"))
        let key = try #require(HTTPField.Name("X-API-Key"))
        let secret: [HTTPField.Name] = [.authorization, .cookie, .proxyAuthorization, key]
        for name in secret { request.head.headerFields[name] = "secret" }
        request.head.headerFields[.accept] = "text/plain"
        _ = try await RedirectingTransport(base).send(request)
        let sent = try #require(base.requests.last?.head.headerFields)
        for name in secret { #expect(sent[name] == (kept ? "secret" : nil)) }
        #expect(sent[.accept] == "text/plain")
    }

    @Test func credentialsStayDroppedWhenRedirectedBack() async throws {
        let base = origin([
            redirect(302, "http://other.example/"), redirect(302, "http://origin.example/home"), .ok("home"),
        ])
        var request = TransportRequest(.get("/"))
        request.head.headerFields[.authorization] = "secret"
        _ = try await RedirectingTransport(base).send(request)
        #expect(base.requests.map { $0.head.headerFields[.authorization] } == ["secret", nil, nil])
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://h/x", "javascript:alert(1)", "data:,x"])
    func refusesToLeaveHTTP(location: String) async throws {
        await expect(.unsafeRedirect, from: "http", origin([redirect(302, location)]))
    }

    @Test func refusesToGoFromHTTPSToHTTP() async throws {
        await expect(.unsafeRedirect, from: "https", origin([redirect(302, "http://origin.example/")]))
    }

    @Test func refusesALocationThatIsNoURL() async throws {
        await expect(.invalidResponse, from: "http", origin([redirect(302, "http://")]))
    }

    @Test func refusesALocationWithAnInvalidEscape() async throws {
        let base = origin([redirect(302, "/a%zz?key=hunter2")])
        let error = await #expect(throws: TransportError.self) {
            try await RedirectingTransport(base).send(TransportRequest(.get("/")))
        }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("% at character 3 of \"/a%zz\"") == true)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func refusalOfInvalidLocationHidesItsQuery() async throws {
        let base = origin([redirect(302, "http://?key=hunter2")])
        let error = await #expect(throws: TransportError.self) {
            try await RedirectingTransport(base).send(TransportRequest(.get("/")))
        }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("key=***") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func redirectLoopFails() async throws {
        let base = StubTransport { request in
            .respond(.found, fields: [.location: request.head.path == "/a" ? "/b" : "/a"])
        }
        await expect(.tooManyRedirects, from: "http", base)
        #expect(base.requests.count == 3)
    }

    @Test func postRedirectedToItselfAsGetIsNoLoop() async throws {
        let base = origin([redirect(303, "/"), .ok("done")])
        var request = TransportRequest(.get("/"))
        request.head.method = .post
        let response = try await RedirectingTransport(base).send(request)
        #expect(response.head.status == .ok)
    }

    @Test(arguments: [(20, true), (21, false)])
    func followsTwentyAndNoMore(redirects: Int, succeeds: Bool) async throws {
        let base = origin((1...redirects).map { redirect(302, "/\($0)") } + [.ok("there")])
        guard succeeds else { return await expect(.tooManyRedirects, from: "http", base) }
        let response = try await RedirectingTransport(base).send(TransportRequest(.get("/")))
        #expect(response.head.status == .ok)
        #expect(base.requests.count == 21)
    }

    @Test func redirectsShareTheTimeout() async throws {
        let clock = TestClock()
        let base = StubTransport(timer: clock) { request in
            clock.advance(by: .seconds(4))
            return request.head.path == "/3"
                ? .ok("there") : .respond(.found, fields: [.location: "/\(clock.now.offset.components.seconds)"])
        }
        let request = TransportRequest(.get("/"), timeout: .seconds(10))
        let error = await #expect(throws: TransportError.self) {
            try await RedirectingTransport(base, clock: clock).send(request)
        }
        #expect(error?.code == .timedOut)
        #expect(base.requests.map(\.timeout) == [.seconds(10), .seconds(6), .seconds(2)])
    }

    @Test func letsGoOfTheBodyThatItDoesNotRead() async throws {
        let base = origin([redirect(302, "/next"), .ok("there")])
        _ = try await RedirectingTransport(base).send(TransportRequest(.get("/")))
        await base.departures()
    }

    private func expect(_ code: TransportError.Code, from scheme: String, _ base: StubTransport) async {
        var request = TransportRequest(.get("/"))
        request.head.scheme = scheme
        let error = await #expect(throws: TransportError.self) { try await RedirectingTransport(base).send(request) }
        #expect(error?.code == code)
    }
}
