import Testing
import WharfCache
import WharfContentCoding
import WharfCore
import WharfFakes
import WharfTestServer

@testable import WharfGateway

/// Faults of the origin over real sockets, with and without a stored answer.
struct OriginFaultTests {
    /// A fault of the whole answer or of its body.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: TestResponse

        init(_ description: String, _ response: TestResponse) {
            testDescription = description
            self.response = response
        }

        init(_ description: String, raw: String) { self.init(description, .raw(Array(raw.utf8))) }
    }

    private let clock = TestClock()

    private func run(
        _ server: TestServer, clientClock: any Clock<Duration> = ContinuousClock(), timeout: Duration? = nil,
        _ body: (Gateway) async throws -> Void
    ) async throws {
        var configuration = GatewayConfiguration()
        configuration.timeout = timeout
        try await withClient(clock: clientClock, wallClock: clock.wall) { client in
            let caching = CachingTransport(
                ContentCheckingTransport(client), store: MemoryCacheStore(), configuration: .shared, clock: clock.wall,
                onIncident: { Issue.record("\($0)") })
            try await withGateway(over: caching, origin: server.baseURL, configuration, body)
        }
    }

    private func get(_ path: String, _ gateway: Gateway) async throws -> RawAnswer {
        var answer: RawAnswer?
        // A connection of its own, because a broken answer ends it.
        try await RawClient.run(gateway) { client in
            try await client.get(path, of: gateway)
            answer = try await client.answer()
        }
        return try #require(answer)
    }

    private static let kept = TestResponse.text("hello").cacheControl("max-age=60, stale-if-error=3600").etag("\"1\"")

    static let failedHeads = [
        Fault("closed before the head", .dropped),
        Fault("no HTTP", raw: "nonsense\r\n\r\n"),
        Fault("a status of two digits", raw: "HTTP/1.1 099 What\r\nContent-Length: 2\r\n\r\nhi"),
        Fault("closed in mid-head", raw: "HTTP/1.1 200 OK\r\nContent-Le"),
        Fault("a head of 200 KB", raw: "HTTP/1.1 200 OK\r\nX: \(String(repeating: "y", count: 200_000))\r\n\r\n"),
        Fault("an impossible length", raw: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi"),
        Fault("an unknown transfer coding", raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\nhi"),
        Fault("switched protocols", raw: "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"),
    ]

    @Test(arguments: failedHeads)
    func brokenHeadGivesTheStoredAnswerOr502(fault: Fault) async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/kept", Self.kept)
            server.route(.get, "/never", fault.response)
            try await run(server) { gateway in
                #expect(try await get("/kept", gateway).text == "hello")
                clock.advance(by: .seconds(100))
                server.route(.get, "/kept", fault.response)
                let stale = try await get("/kept", gateway)
                #expect((stale.status, stale.text, stale["age"]) == (200, "hello", "100"))
                #expect(stale["cache-status"] == "wharf; fwd=stale; ttl=-40; detail=STALE-ON-ERROR")
                let failed = try await get("/never", gateway)
                #expect((failed.status, failed["age"]) == (502, nil))
                #expect(failed["cache-status"]?.hasPrefix("wharf; detail=") == true, "\(failed.text)")
            }
        }
    }

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let brokenBodies = [
        Fault("closed in mid-body", .text("hello again").truncated(after: 5)),
        Fault("a longer Content-Length", raw: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhello again"),
        Fault("closed between chunks", raw: chunked + "5\r\nhello\r\n"),
        Fault("closed in a chunk", raw: chunked + "ff\r\nhello"),
        Fault("no chunk", raw: chunked + "zz\r\nhello"),
        Fault("garbage gzip", TestResponse(fields: [.contentEncoding: "gzip"], body: Array("hello again".utf8))),
    ]

    /// The client sees no complete answer, and the stored one stays.
    @Test(arguments: brokenBodies)
    func brokenBodyIsBrokenForTheClientAndNotStored(fault: Fault) async throws {
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/kept", Self.kept)
            server.route(.get, "/never", fault.response)
            try await run(server) { gateway in
                #expect(try await get("/kept", gateway).text == "hello")
                clock.advance(by: .seconds(100))
                server.route(.get, "/kept", fault.response)
                let broken = await answer("/kept", gateway)
                // A cache may read a short body whole before it answers, and has a stored one then.
                #expect(broken == nil || broken?.text == "hello", "\(broken?.text ?? "")")
                let never = await answer("/never", gateway)
                #expect(never == nil || never?.status == 502, "\(never?.text ?? "")")
                server.route(.get, "/kept", .dropped)
                server.route(.get, "/never", .text("whole").maxAge(60))
                #expect(try await get("/kept", gateway).text == "hello")
                let whole = try await get("/never", gateway)
                #expect((whole.text, whole["cache-status"]?.contains("uri-miss")) == ("whole", true))
            }
        }
    }

    /// - Returns: a complete answer; nil if the connection ended before.
    private func answer(_ path: String, _ gateway: Gateway) async -> RawAnswer? {
        do {
            return try await get(path, gateway)
        } catch {
            return nil
        }
    }

    @Test func originThatHangsInMidBodyIsBrokenOff() async throws {
        let timer = TestClock()
        try await TestServer.run(clock: clock.wall) { server in
            server.route(.get, "/a", Self.kept)
            try await run(server, clientClock: timer, timeout: .seconds(60)) { gateway in
                #expect(try await get("/a", gateway).text == "hello")
                clock.advance(by: .seconds(100))
                let never = Gate()
                server.route(.get, "/a", .text("hello again").heldInBody(after: 5) { await never.pass() })
                async let broken = answer("/a", gateway)
                try await server.request(2)
                await timer.untilSleeping()
                timer.advance(by: .seconds(60))
                #expect(await broken?.text != "hello again")
                server.route(.get, "/a", .dropped)
                #expect(try await get("/a", gateway).text == "hello")
            }
        }
    }

    /// RFC 9112 §6.3: the bytes after a response are no response.
    @Test func bytesAfterAResponseAreNoAnswer() async throws {
        try await TestServer.run(clock: clock.wall) { server in
            let extra = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nCache-Control: max-age=60\r\n\r\nwrong"
            // The later route wins.
            server.route(.get, "/:n") { .text($0.parameters["n"] ?? "").maxAge(60) }
            server.route(
                .get, "/long",
                .raw(
                    Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nCache-Control: max-age=60\r\n\r\nright\(extra)".utf8)
                ))
            try await run(server) { gateway in
                try await RawClient.run(gateway) { client in
                    for path in ["long", "1", "long", "2", "1"] {
                        try await client.get("/\(path)", of: gateway)
                        let answer = try await client.answer()
                        #expect((answer.status, answer.text) == (200, path == "long" ? "right" : path))
                    }
                }
            }
        }
    }
}
