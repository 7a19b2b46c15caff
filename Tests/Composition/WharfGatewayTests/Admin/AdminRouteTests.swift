import Foundation
import Testing
import WharfCache
import WharfCore
import WharfFakes

@testable import WharfGateway

struct AdminRouteTests {
    @Test(arguments: [
        ("/", "text/html; charset=utf-8"), ("/healthz", "text/plain; charset=utf-8"),
        ("/metrics", "text/plain; version=0.0.4; charset=utf-8"), ("/state.json", "application/json"),
        ("/entries.json", "application/json"), ("/entries.json?after=7", "application/json"),
    ])
    func routeHasItsTypeAndIsNotStored(path: String, type: String) async throws {
        try await withAdmin(over: RecordingTransport(), store: MemoryCacheStore()) { _, admin in
            let answer = try await admin.get(path)
            #expect((answer.status, answer["content-type"]) == (200, type))
            #expect(answer["cache-control"] == "no-store")
            #expect(answer["x-content-type-options"] == "nosniff")
            #expect(answer["cross-origin-resource-policy"] == "same-origin")
            #expect(answer["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(answer["access-control-allow-origin"] == nil)
            let head = try await admin.send("HEAD", path)
            #expect((head.status, head.body) == (200, []))
        }
    }

    @Test(arguments: [
        ("GET", "/favicon.ico", 404, nil), ("GET", "/healthz/", 404, nil), ("POST", "/nothing", 404, nil),
        ("GET", "/offline", 405, "POST"), ("GET", "/faults/on", 405, "POST"),
        ("GET", "/entries/remove?id=1", 405, "POST"),
        ("POST", "/", 405, "GET, HEAD"), ("POST", "/state.json", 405, "GET, HEAD"),
        ("PUT", "/offline", 405, "GET, HEAD, POST"), ("OPTIONS", "/offline", 405, "GET, HEAD, POST"),
        ("GET", "/entries.json?after=x", 400, nil), ("POST", "/entries/remove", 400, nil),
    ])
    func otherRequestIsRefused(method: String, path: String, status: Int, allow: String?) async throws {
        let configuration = GatewayConfiguration()
        try await withAdmin(over: RecordingTransport(), store: MemoryCacheStore(), configuration) { _, admin in
            let answer = try await admin.send(method, path)
            #expect((answer.status, answer["allow"]) == (status, allow))
            #expect(!answer.text.isEmpty)
        }
        #expect(!configuration.controls.isOffline)
    }

    @Test func pageRunsItsOwnScriptAndStyleAlone() async throws {
        try await withAdmin(over: RecordingTransport()) { _, admin in
            var nonces: Set<String> = []
            for _ in 0..<2 {
                let page = try await admin.get("/")
                let policy = try #require(page["content-security-policy"])
                let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([a-z0-9]{16,})'/)?.1)
                #expect(policy.hasPrefix("default-src 'none'; "))
                #expect(policy.contains("; style-src 'nonce-\(nonce)'; connect-src 'self'; "))
                #expect(page.text.contains("<script nonce=\"\(nonce)\">"))
                #expect(page.text.contains("<style nonce=\"\(nonce)\">"))
                // Neither another script or style, nor a resource.
                #expect(page.text.matches(of: /<(script|style|link|img|iframe|object)\b/).count == 2)
                #expect(page.text.matches(of: /\s(src|style|on[a-z]+)=/).isEmpty)
                nonces.insert(String(nonce))
            }
            #expect(nonces.count == 2)
        }
    }

    /// The script finds each of its elements.
    @Test func pageHasTheElementsOfItsScript() {
        let page = AdminPage.html(nonce: "n")
        let names = AdminPage.script.matches(of: /\$\('([a-z-]+)'\)|(?:write|list|setSwitch)\('([a-z-]+)'/)
            .compactMap { $0.1 ?? $0.2 }
        #expect(names.count > 20)
        for name in names { #expect(page.contains("id=\"\(name)\""), "\(name)") }
        // `list` hides a text for the empty list.
        for name in ["live", "answers", "entries"] { #expect(page.contains("id=\"\(name)-empty\"")) }
        for source in AnswerSource.allCases { #expect(AdminPage.script.contains("\n  \(source.rawValue): [")) }
    }

    @Test func drainingGatewayIsUnhealthy() async throws {
        let gate = Gate()
        let origin = ClosureTransport { _ in
            await gate.pass()
            return .text("late")
        }
        try await withAdmin(over: origin) { gateway, admin in
            let healthy = try await admin.get("/healthz")
            #expect((healthy.status, healthy.text) == (200, "ok\n"))
            try await RawClient.run(gateway) { client in
                try await client.get("/", of: gateway)
                await gate.arrivals()
                gateway.shutDown()
                // The drain begins on another task.
                while try await admin.get("/healthz").status == 200 {}
                #expect(try await admin.get("/healthz").status == 503)
                #expect(try await admin.state().isDraining)
                gate.open()
                #expect(try await client.answer().text == "late")
            }
            #expect(try await admin.get("/healthz").status == 503)
        }
    }

    @Test func stateHasTheSitesAndTheUptime() async throws {
        let clock = TestClock()
        try await withAdmin(over: RecordingTransport(), clock: clock) { gateway, admin in
            clock.advance(by: .seconds(2.5))
            let state = try await admin.state()
            #expect((state.url, state.origin) == (gateway.url, "http://origin.test"))
            #expect(state.uptime == 2.5)
            #expect((state.isOffline, state.isDraining, state.injectsFaults) == (false, false, nil))
            #expect(state.store == nil && state.storeError == nil)
            #expect(try await admin.get("/entries.json").status == 404)
        }
    }

    @Test func liveRequestHasAgeAndAnswerUntilItsEnd() async throws {
        let clock = TestClock()
        let (head, body) = (Gate(), Gate())
        let origin = ClosureTransport { _ in
            await head.pass()
            return .stream(
                Pieces { number in
                    if number == 1 { await body.pass() }
                    return number < 2 ? Array("hello".utf8) : nil
                })
        }
        try await withAdmin(over: origin, clock: clock) { gateway, admin in
            try await RawClient.run(gateway) { client in
                try await client.get("/slow?token=s3cret", of: gateway)
                await head.arrivals()
                clock.advance(by: .seconds(3))
                let waiting = try await admin.state()
                #expect((waiting.liveCount, waiting.connections) == (1, 1))
                #expect(waiting.live == [State.Live(method: "GET", path: "/slow", age: 3, sentBytes: 0)])
                head.open()
                await body.arrivals()
                clock.advance(by: .seconds(4))
                let answering = try await admin.state()
                let shown = State.Live(
                    method: "GET", path: "/slow", age: 7, sentBytes: 5, status: 200, cache: "uncached")
                #expect(answering.live == [shown])
                body.open()
                #expect(try await client.answer().text == "hellohello")
            }
            let done = try await admin.state()
            #expect((done.liveCount, done.live.count, done.sentBytes) == (0, 0, 10))
            #expect(done.answers["uncached"] == 1)
        }
    }
}

/// `/state.json`, as the page reads it.
struct State: Decodable {
    struct Live: Decodable, Equatable {
        var method: String
        var path: String
        var age: Double
        var sentBytes: Int
        var status: Int?
        var cache: String?
    }

    struct Store: Decodable, Equatable {
        var entries: Int
        var bytes: Int
        var byteLimit: Int?
    }

    var url: String
    var origin: String
    var isOffline: Bool
    var isDraining: Bool
    var injectsFaults: Bool?
    var uptime: Double
    var sentBytes: Int
    var connections: Int
    var liveCount: Int
    var answers: [String: Int]
    var live: [Live]
    var store: Store?
    var storeError: String?
}

extension AdminClient {
    func state() async throws -> State {
        try JSONDecoder().decode(State.self, from: Data(try await get("/state.json").body))
    }
}
