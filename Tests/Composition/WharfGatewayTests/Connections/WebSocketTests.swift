import NIOCore
import NIOSSL
import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfPrimitives

@testable import WharfGateway

/// RFC 6455, with bytes in place of frames.
struct WebSocketTests {
    private static let accepting =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    /// Reads a handshake, accepts it, and sends all bytes back.
    @Sendable private static func echo(_ origin: RawClient) async throws {
        _ = try await origin.head()
        try await origin.send(bytes: accepting)
        while let bytes = try await origin.next() { try await origin.send(bytes) }
        origin.finish()
    }

    private func sendHandshake(_ client: RawClient, to gateway: Gateway, _ lines: String...) async throws {
        let lines =
            ["GET /chat?q HTTP/1.1", "Host: \(gateway.authority)", "Connection: Upgrade", "Upgrade: websocket"]
            + ["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"] + lines
        try await client.send(bytes: lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// A transport that no WebSocket may use.
    private let unused = ClosureTransport { request in
        Issue.record("the transport got \(request.head)")
        return .text("")
    }

    // MARK: Open WebSockets

    @Test func bytesFlowBothWays() async throws {
        let exchanges = Mutex<[GatewayExchange]>([])
        try await RawOrigin.run(serve: Self.echo) { origin in
            try await withGateway(
                over: unused, origin: origin.url, onExchange: { one in exchanges.withLock { $0.append(one) } }
            ) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    let head = try await client.head()
                    #expect((head.status, head["connection"], head["upgrade"]) == (101, "Upgrade", "websocket"))
                    #expect(head["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                    #expect((head["via"], head["content-length"]) == ("1.1 wharf", nil))
                    for text in ["a", "\r\n\r\n", "GET / HTTP/1.1\r\n"] {
                        try await client.send(bytes: text)
                        #expect(try await client.bytes(text.utf8.count) == Array(text.utf8))
                    }
                    client.finish()
                    #expect(try await client.rest() == [])
                }
            }
        }
        let exchange = try #require(exchanges.withLock { $0.first })
        #expect((exchange.method, exchange.path, exchange.status.code) == ("GET", "/chat", 101))
    }

    @Test func handshakeHasTheFieldsOfTheGateway() async throws {
        let received = Promise<RawHead>()
        try await RawOrigin.run { origin in
            received.fulfil(try await origin.head())
            try await origin.send(bytes: Self.accepting)
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway, "Connection: X-Private", "X-Private: 1")
                    #expect(try await client.head().status == 101)
                    #expect(try await client.rest() == [])
                }
                let head = await received.wait()
                #expect(head.line == "GET /chat?q HTTP/1.1")
                #expect((head["host"], head["connection"]) == (origin.authority, "Upgrade"))
                #expect((head["upgrade"], head["x-private"]) == ("websocket", nil))
                #expect(head["sec-websocket-key"] == "dGhlIHNhbXBsZSBub25jZQ==")
                #expect((head["via"], head["x-forwarded-host"]) == ("1.1 wharf", gateway.authority))
            }
        }
    }

    /// The origin sends bytes with its head, and leaves.
    @Test func bytesAfterTheHeadAreNotLost() async throws {
        let farewell = [UInt8](repeating: 120, count: 100_000)
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            // The connection closes after this, which would drop bytes that only SwiftNIO has.
            try await origin.push(Array(Self.accepting.utf8) + farewell)
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    #expect(try await client.head().status == 101)
                    #expect(try await client.rest() == farewell)
                }
            }
        }
    }

    @Test func originAnswersAfterTheClientsEnd() async throws {
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            try await origin.send(bytes: Self.accepting)
            let received = try await origin.rest()
            try await origin.send(bytes: "\(received.count)")
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    #expect(try await client.head().status == 101)
                    try await client.send([UInt8](repeating: 120, count: 1_000_000))
                    client.finish()
                    #expect(try await client.rest() == Array("1000000".utf8))
                }
            }
        }
    }

    @Test func clientAnswersAfterTheOriginsEnd() async throws {
        let received = Promise<[UInt8]>()
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            try await origin.send(bytes: Self.accepting + "bye")
            origin.finish()
            received.fulfil(try await origin.rest())
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    #expect(try await client.head().status == 101)
                    #expect(try await client.rest() == Array("bye".utf8))
                    try await client.send(bytes: "late")
                    client.finish()
                    #expect(await received.wait() == Array("late".utf8))
                }
            }
        }
    }

    /// 512 MB fit into no socket buffers, and 256 MB are more than they take.
    @Test func originWaitsForTheClient() async throws {
        let piece = [UInt8](repeating: 120, count: 64 << 10)
        let sent = Atomic(0)
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            try await origin.send(bytes: Self.accepting)
            for _ in 0..<8_000 {
                try await origin.push(piece)
                sent.add(1, ordering: .sequentiallyConsistent)
            }
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway, socketBuffer: 64 << 10) { client in
                    try await sendHandshake(client, to: gateway)
                    #expect(try await client.head().status == 101)
                    for number in 1...8_000 {
                        #expect(try await client.bytes(64 << 10).count == 64 << 10)
                        let ahead = sent.load(ordering: .sequentiallyConsistent) - number
                        #expect(ahead < 4_000, "\(ahead) pieces in memory")
                    }
                    #expect(try await client.rest() == [])
                }
            }
        }
    }

    @Test func clientThatDoesNotReadIsClosed() async throws {
        let clock = TestClock()
        let over = Promise<Void>()
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            try await origin.send(bytes: Self.accepting)
            do {
                while true { try await origin.send([UInt8](repeating: 120, count: 64 << 10)) }
            } catch {
                over.fulfil()
            }
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url, clock: clock) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    #expect(try await client.head().status == 101)
                    // Steps until the buffers of all sockets are full.
                    while over.value == nil {
                        if clock.sleepers > 0 { clock.advance(by: .seconds(30)) }
                        await Task.yield()
                    }
                }
            }
        }
    }

    /// A WebSocket may be silent for any time.
    @Test func silentWebSocketIsKept() async throws {
        let clock = TestClock()
        try await RawOrigin.run(serve: Self.echo) { origin in
            try await withGateway(over: unused, origin: origin.url, clock: clock) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    #expect(try await client.head().status == 101)
                    try await client.send(bytes: "a")
                    #expect(try await client.bytes(1) == Array("a".utf8))
                    for _ in 0..<5 {
                        await clock.untilSleeping()
                        clock.advance(by: GatewayConfiguration().clientTimeout)
                    }
                    try await client.send(bytes: "b")
                    #expect(try await client.bytes(1) == Array("b".utf8))
                }
            }
        }
    }

    @Test func webSocketIsClosedAtTheDrainLimit() async throws {
        let clock = TestClock()
        try await RawOrigin.run(serve: Self.echo) { origin in
            let gateway = try await Gateway(origin: origin.url, transport: unused, clock: clock)
            let running = Task { try await gateway.run() }
            try await RawClient.run(gateway) { client in
                try await sendHandshake(client, to: gateway)
                #expect(try await client.head().status == 101)
                gateway.shutDown()
                // The watch of the client, and the drain.
                await clock.untilSleeping(2)
                try await client.send(bytes: "a")
                #expect(try await client.bytes(1) == Array("a".utf8))
                clock.advance(by: GatewayConfiguration().drainLimit)
                #expect(try await client.restOrReset() == [])
            }
            try await running.value
        }
    }

    // MARK: TLS

    @Test func webSocketOverTLSOnBothSides() async throws {
        try await RawOrigin.run(tls: try TestIdentity.server(), serve: Self.echo) { origin in
            try await TestIdentity.withFiles { certificate in
                var configuration = GatewayConfiguration()
                configuration.certificate = certificate
                configuration.webSocketAuthorities = certificate.chain
                try await withGateway(over: unused, origin: origin.url, configuration) { gateway in
                    try await RawClient.run(gateway, tls: try TestIdentity.client(["http/1.1"])) { client in
                        try await sendHandshake(client, to: gateway)
                        #expect(try await client.head().status == 101)
                        try await client.send(bytes: "hello")
                        #expect(try await client.bytes(5) == Array("hello".utf8))
                        client.finish()
                        #expect(try await client.rest() == [])
                    }
                }
            }
        }
    }

    @Test func originWithoutATrustedCertificateIsABadGateway() async throws {
        try await RawOrigin.run(tls: try TestIdentity.server(), serve: Self.echo) { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    let answer = try await client.answer()
                    #expect((answer.status, answer["cache-status"]) == (502, "wharf; detail=tlsFailed"))
                    #expect(answer.text.contains("the WebSocket to \(origin.url) could not be opened: "))
                }
            }
        }
    }

    // MARK: WebSockets that are not opened

    @Test func refusalOfTheOriginIsPassedOn() async throws {
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            try await origin.send(
                bytes: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n"
                    + "X-Reason: a\r\n\r\n5\r\nnever\r\n0\r\n\r\n")
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    let answer = try await client.answer()
                    #expect((answer.status, answer.text, answer["x-reason"]) == (403, "never", "a"))
                    #expect((answer["connection"], answer["upgrade"]) == ("close", nil))
                    #expect(try await client.rest() == [])
                }
            }
        }
    }

    /// Bytes after a handshake that fails belong to no WebSocket, and would be smuggled.
    @Test func bytesAfterARefusedHandshakeAreNoRequest() async throws {
        let origin = RecordingTransport()
        let tunnelled = Promise<[UInt8]>()
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            try await origin.send(bytes: "HTTP/1.1 403 Forbidden\r\nContent-Length: 5\r\n\r\nnever")
            // A tunnel would bring the second request.
            tunnelled.fulfil(try await origin.restOrReset())
        } _: { server in
            try await withGateway(over: origin, origin: server.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    try await client.get("/smuggled", of: gateway)
                    #expect(try await client.answer().text == "never")
                    #expect(try await client.rest() == [])
                    #expect(await tunnelled.wait() == [])
                }
            }
        }
        #expect(origin.requests.isEmpty)
    }

    @Test func truncatedRefusalIsTruncatedForTheClient() async throws {
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            try await origin.send(bytes: "HTTP/1.1 403 Forbidden\r\nContent-Length: 10\r\n\r\nhalf")
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    await #expect(throws: RawClient.Ended.self) { try await client.answer() }
                }
            }
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 1", "HTTP/1.1 101 OK\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n",
        "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\n\r\n", "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\n",
        "HTTP/1.1 101 OK\r\nno field\r\n\r\n", "HTTP/1.0 101 OK\r\n\r\n", "nonsense\r\n\r\n",
    ])
    func malformedAnswerIsABadGateway(answer: String) async throws {
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            try await origin.send(bytes: answer)
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    #expect(try await client.answer().status == 502)
                }
            }
        }
    }

    @Test func originThatHangsIsATimeout() async throws {
        let clock = TestClock()
        let arrived = Promise<Void>()
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            arrived.fulfil()
            _ = try await origin.rest()
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url, clock: clock) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    await arrived.wait()
                    // The watch of the client, and the handshake.
                    await clock.untilSleeping(2)
                    clock.advance(by: .seconds(30))
                    let answer = try await client.answer()
                    #expect((answer.status, answer["cache-status"]) == (504, "wharf; detail=timedOut"))
                }
            }
        }
    }

    @Test func clientThatLeavesEndsTheHandshake() async throws {
        let (arrived, ended) = (Promise<Void>(), Promise<Void>())
        try await RawOrigin.run { origin in
            _ = try await origin.head()
            arrived.fulfil()
            _ = try await origin.restOrReset()
            ended.fulfil()
        } _: { origin in
            try await withGateway(over: unused, origin: origin.url) { gateway in
                try await RawClient.run(gateway) { client in
                    try await sendHandshake(client, to: gateway)
                    await arrived.wait()
                }
                await ended.wait()
            }
        }
    }

    @Test func offlineGatewayOpensNoWebSocket() async throws {
        let configuration = GatewayConfiguration()
        configuration.controls.isOffline = true
        try await withGateway(over: unused, configuration) { gateway in
            try await RawClient.run(gateway) { client in
                try await sendHandshake(client, to: gateway)
                let answer = try await client.answer()
                #expect((answer.status, answer["cache-status"]) == (504, "wharf; detail=ONLY-IF-CACHED"))
            }
        }
    }

    /// RFC 9110 §7.8: a server may ignore Upgrade.
    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: HOST\r\nUpgrade: websocket\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n",
    ])
    func otherUpgradeIsARequest(request: String) async throws {
        let origin = RecordingTransport()
        try await withGateway(over: origin) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send(bytes: request.replacing("HOST", with: gateway.authority))
                #expect(try await client.answer().text == "ok")
            }
        }
        #expect(origin.requests.first?.head.headerFields[.upgrade] == nil)
    }

    /// The host is checked before a connection is made.
    @Test func foreignHostIsRefused() async throws {
        try await withGateway(over: unused) { gateway in
            try await RawClient.run(gateway) { client in
                try await client.send(
                    "GET / HTTP/1.1", "Host: other.test", "Connection: Upgrade", "Upgrade: websocket", "")
                #expect(try await client.answer().status == 421)
            }
        }
    }

    @Test(arguments: [
        ("http://a", "a", 80), ("https://a", "a", 443), ("https://a:8", "a", 8), ("http://[::1]", "::1", 80),
        ("https://[::1]:8443", "::1", 8443),
    ])
    func endpointIsHostAndPort(origin: String, host: String, port: Int) throws {
        let site = try Site(Site.origin(origin), listening: (host: "127.0.0.1", port: 1), names: [])
        #expect(site.endpoint == (host, port))
    }
}
