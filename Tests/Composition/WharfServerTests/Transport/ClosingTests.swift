import AsyncHTTPClient
import NIOHTTPCompression
import Testing
import TransportStages
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfServer
import WharfTestServer

struct ClosingTests {
    @Test func closedTransportCancelsCurrentAndLaterRequests() async throws {
        try await TestServer.run { server in
            server.route(.get, "/head", .hanging)
            let never = Gate()
            server.route(.get, "/body", .text("hello").heldInBody(after: 1) { await never.pass() })
            let transport = AsyncHTTPClientTransport(configuration: .patient)
            let half = try await transport.send(TransportRequest(.to(server, "/body")))
            let waiting = Task { try await transport.send(TransportRequest(.to(server, "/head"))).head }
            try await server.request(2)
            await transport.close()
            await transport.close()
            let errors = [
                await #expect(throws: TransportError.self) { try await half.body.collect() },
                await #expect(throws: TransportError.self) { try await waiting.value },
                await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/head")))
                },
            ]
            #expect(errors.map { $0?.code } == [.cancelled, .cancelled, .cancelled])
            #expect(server.requests.count == 2)
            let outcomes = (try await server.outcome(of: 1), try await server.outcome(of: 2))
            #expect(outcomes == (.disconnected, .disconnected))
        }
    }

    @Test func timeoutClosesTheConnectionOfAnUnreadBody() async throws {
        try await TestServer.run { server in
            let (clock, never) = (TestClock(), Gate())
            server.route(.get, "/", .text("hello").heldInBody(after: 1) { await never.pass() })
            let transport = AsyncHTTPClientTransport(configuration: .patient, clock: clock)
            let request = TransportRequest(.to(server, "/"), timeout: .seconds(30))
            let held = try await transport.send(request)
            await clock.untilSleeping()
            clock.advance(by: .seconds(30))
            let outcome = try await server.outcome(of: 1)
            #expect(outcome == .disconnected)
            let error = await #expect(throws: TransportError.self) { try await held.body.collect() }
            #expect(error?.code == .timedOut)
            await transport.close()
        }
    }

    @Test func anAnswerOutlivesItsTransport() async throws {
        try await TestServer.run { server in
            let gate = Gate()
            server.route(.get, "/", .text("hello").heldInBody(after: 1) { await gate.pass() })
            let response = try await AsyncHTTPClientTransport(configuration: .patient).send(
                TransportRequest(.to(server, "/")))
            gate.open()
            #expect(try await response.body.collect() == Array("hello".utf8))
        }
    }

    @Test func aLentClientIsLeftRunning() async throws {
        try await TestServer.run { server in
            server.route(.get, "/", .text("hello"))
            try await withLentClient { client in
                let transport = AsyncHTTPClientTransport(client: client)
                _ = try await transport.send(TransportRequest(.to(server, "/"))).body.collect()
                await transport.close()
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(TransportRequest(.to(server, "/")))
                }
                #expect(error?.code == .cancelled)
                let other = AsyncHTTPClientTransport(client: client)
                #expect(try await other.send(TransportRequest(.to(server, "/"))).body.collect() == Array("hello".utf8))
            }
        }
    }

    @Test func aLentClientThatFollowsRedirectsIsAnError() async throws {
        try await TestServer.run { server in
            server.route(.get, "/old", .redirect(to: "/new"))
            server.route(.get, "/new", .text("hello"))
            try await withLentClient(.patient) { client in
                let error = await #expect(throws: TransportError.self) {
                    try await AsyncHTTPClientTransport(client: client).send(TransportRequest(.to(server, "/old")))
                }
                #expect(error?.code == .invalidResponse)
                #expect(error?.message.contains("keepingTransportLaws") == true)
            }
        }
    }

    @Test func aLentClientThatDecodesByItselfIsAnError() async throws {
        try await TestServer.run { server in
            let gzip: [UInt8] = [0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 2, 3, 0x4b, 4, 0, 0x43, 0xbe, 0xb7, 0xe8, 1, 0, 0, 0]
            server.route(.get, "/", TestResponse(fields: [.contentEncoding: "gzip"], body: gzip))
            var decoding = HTTPClient.Configuration.patient
            decoding.decompression = .enabled(limit: .none)
            try await withLentClient(decoding) { client in
                let response = try await AsyncHTTPClientTransport(client: client)
                    .send(TransportRequest(.to(server, "/")))
                let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
                #expect(error?.code == .invalidResponse)
                #expect(error?.message.contains("keepingTransportLaws") == true)
            }
            // One without content decoding suits a transport, which decodes above it.
            try await withLentClient(.patient) { client in
                let transport = AsyncHTTPClientTransport(client: client)
                let body = try await transport.send(TransportRequest(.to(server, "/"))).body.collect()
                #expect(body == Array("a".utf8))
            }
        }
    }
}
