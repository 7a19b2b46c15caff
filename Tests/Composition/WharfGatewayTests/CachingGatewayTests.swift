import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfServer
import WharfTestServer

@testable import WharfGateway

/// The whole path: a client, the gateway, the cache, AsyncHTTPClient, and an origin.
struct CachingGatewayTests {
    private let clock = TestClock()

    /// Runs a gateway with a cache in front of a server.
    private func run(
        _ server: TestServer, clientClock: any Clock<Duration> = ContinuousClock(),
        _ change: (inout GatewayConfiguration) -> Void = { _ in }, _ body: (Gateway) async throws -> Void
    ) async throws {
        var configuration = GatewayConfiguration()
        change(&configuration)
        try await withClient(clock: clientClock, wallClock: clock.wall) { client in
            let caching = CachingTransport(
                client, store: MemoryCacheStore(), configuration: .shared, clock: clock.wall,
                onIncident: { Issue.record("\($0)") })
            try await withGateway(over: caching, origin: server.baseURL, configuration, body)
        }
    }

    @Test func missAndHitHaveACacheStatus() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", .text("hello").maxAge(60))
            try await run(server) { gateway in
                try await RawClient.run(gateway) { client in
                    try await client.get("/a", of: gateway)
                    let miss = try await client.answer()
                    #expect((miss.text, miss["age"]) == ("hello", nil))
                    #expect(miss["cache-status"] == "wharf; fwd=uri-miss; fwd-status=200; stored")
                    clock.advance(by: .seconds(7))
                    try await client.get("/a", of: gateway)
                    let hit = try await client.answer()
                    #expect((hit.text, hit["age"]) == ("hello", "7"))
                    #expect(hit["cache-status"] == "wharf; hit; ttl=53")
                }
            }
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1)
            #expect(request.fields[values: .init("Host")!] == [server.authority])
            #expect(request.fields[.via] == "1.1 wharf")
            #expect(request.fields[.init("X-Forwarded-For")!] == "127.0.0.1")
        }
    }

    @Test func answerWithoutBodyIsStored() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", .status(.noContent).maxAge(60))
            try await run(server) { gateway in
                try await RawClient.run(gateway) { client in
                    for expected in ["wharf; fwd=uri-miss; fwd-status=204; stored", "wharf; hit; ttl=60"] {
                        try await client.get("/a", of: gateway)
                        let answer = try await client.answer()
                        #expect((answer.status, answer["cache-status"]) == (204, expected))
                    }
                }
            }
        }
    }

    @Test func deadOriginGivesTheStaleAnswer() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", .text("hello").cacheControl("max-age=60, stale-if-error=3600").etag("\"1\""))
            try await run(server) { gateway in
                try await RawClient.run(gateway) { client in
                    try await client.get("/a", of: gateway)
                    #expect(try await client.answer().text == "hello")
                    await server.stop()
                    clock.advance(by: .seconds(100))
                    try await client.get("/a", of: gateway)
                    let stale = try await client.answer()
                    #expect((stale.status, stale.text, stale["age"]) == (200, "hello", "100"))
                    #expect(stale["cache-status"] == "wharf; fwd=stale; ttl=-40; detail=STALE-ON-ERROR")
                    try await client.get("/never", of: gateway)
                    let failed = try await client.answer()
                    #expect(failed.status == 502)
                    #expect(failed.text.contains("http://\(server.authority)/never failed: "), "\(failed.text)")
                    #expect(failed["cache-status"] == "wharf; detail=connectionFailed")
                }
            }
        }
    }

    @Test func originThatHangsIsATimeout() async throws {
        let timer = TestClock()
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/hangs", .hanging)
            try await run(server, clientClock: timer, { $0.timeout = .seconds(60) }) { gateway in
                try await RawClient.run(gateway) { client in
                    try await client.get("/hangs", of: gateway)
                    try await server.request(1)
                    await timer.untilSleeping()
                    timer.advance(by: .seconds(60))
                    let answer = try await client.answer()
                    #expect((answer.status, answer["cache-status"]) == (504, "wharf; detail=timedOut"))
                }
            }
        }
    }

    @Test func offlineGatewayAsksTheCacheAlone() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            try await run(server, { $0.controls = GatewayControls(isOffline: true) }) { gateway in
                try await RawClient.run(gateway) { client in
                    for method in ["GET", "POST", "OPTIONS"] {
                        try await client.send("\(method) /a HTTP/1.1", "Host: \(gateway.authority)", "")
                        let answer = try await client.answer()
                        #expect((answer.status, answer["cache-status"]) == (504, "wharf; detail=ONLY-IF-CACHED"))
                        #expect(answer.text.contains("/a"), "\(answer.text)")
                    }
                    try await client.get("/a", of: gateway, "Cache-Control: only-if-cached")
                    #expect(try await client.answer().status == 504)
                }
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test func offlineGatewayServesStoredAnswers() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", .text("hello").maxAge(1))
            try await withClient(wallClock: clock.wall) { client in
                let caching = CachingTransport(
                    client, store: MemoryCacheStore(), configuration: .shared, clock: clock.wall,
                    onIncident: { Issue.record("\($0)") })
                for isOffline in [false, true] {
                    var configuration = GatewayConfiguration()
                    configuration.controls = GatewayControls(isOffline: isOffline)
                    try await withGateway(over: caching, origin: server.baseURL, configuration) { gateway in
                        try await RawClient.run(gateway) { client in
                            try await client.get("/a", of: gateway)
                            #expect(try await client.answer().text == "hello")
                        }
                    }
                    clock.advance(by: .seconds(100))
                }
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func rangeOfAStoredBodyIsServed() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", .text("hello").maxAge(60))
            try await run(server) { gateway in
                try await RawClient.run(gateway) { client in
                    try await client.get("/a", of: gateway)
                    #expect(try await client.answer().text == "hello")
                    try await client.get("/a", of: gateway, "Range: bytes=1-2")
                    let part = try await client.answer()
                    #expect((part.status, part.text, part["content-range"]) == (206, "el", "bytes 1-2/5"))
                }
            }
        }
    }

    @Test func uploadReachesTheOrigin() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.put, "/a") { .text("\($0.body.count)") }
            try await run(server) { gateway in
                try await RawClient.run(gateway) { client in
                    for (framing, bytes) in [
                        ("Content-Length: 200000", [UInt8](repeating: 120, count: 200_000)),
                        ("Transfer-Encoding: chunked", Array("5\r\nhello\r\n0\r\n\r\n".utf8)),
                        ("Content-Length: 0", []),
                    ] {
                        try await client.send("PUT /a HTTP/1.1", "Host: \(gateway.authority)", framing, "")
                        try await client.send(bytes)
                        #expect(try await client.answer().status == 200)
                    }
                }
            }
            #expect(server.requests.map(\.body.count) == [200_000, 5, 0])
        }
    }

    /// The origin stops in mid-body, and the client sees no complete answer.
    @Test func truncatedAnswerIsTruncatedForTheClient() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", .text("hello world").truncated(after: 5))
            try await run(server) { gateway in
                try await RawClient.run(gateway) { client in
                    try await client.get("/a", of: gateway)
                    await #expect(throws: RawClient.Ended.self) { try await client.answer() }
                }
            }
        }
    }
}
