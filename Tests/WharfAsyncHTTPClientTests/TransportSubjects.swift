#if AsyncHTTPClient && TestServer
import AsyncHTTPClient
import NIOCore
import WharfAsyncHTTPClient
import WharfCore
import WharfTestServer
import WharfTesting

extension TransportLaws.Subject {
    static let asyncHTTPClient = overServer("AsyncHTTPClientTransport") { clock, body in
        let transport = AsyncHTTPClientTransport(configuration: .patient, clock: clock)
        try await body(transport)
        await transport.close()
    }

    static let lentClient = overServer("AsyncHTTPClientTransport over a client of others") { clock, body in
        try await withLentClient { client in
            try await body(AsyncHTTPClientTransport(client: client, clock: clock))
        }
    }

    private static func overServer(
        _ name: String,
        _ run:
            @escaping @Sendable (
                TestClock, @escaping @Sendable (AsyncHTTPClientTransport) async throws -> Void
            ) async throws -> Void
    ) -> TransportLaws.Subject {
        TransportLaws.Subject(name) { scene, clock, body in
            try await TestServer.run { server in
                server.route(nil, "/*", TestResponse(scene))
                try await withoutActuallyEscaping(body) { body in
                    try await run(clock) { transport in
                        try await body(TransportLaws.Stage(transport, before: server))
                    }
                }
            }
        }
    }
}

extension HTTPClient.Configuration {
    /// On a machine where all tests run at the same time the usual ten seconds are not enough to connect.
    static var patient: HTTPClient.Configuration {
        HTTPClient.Configuration(timeout: Timeout(connect: .minutes(5)))
    }
}

/// A client as an app would have one, shut down at the end.
func withLentClient(
    _ configuration: HTTPClient.Configuration = HTTPClient.Configuration.patient.keepingTransportLaws,
    _ body: (HTTPClient) async throws -> Void
) async throws {
    let client = HTTPClient(configuration: configuration)
    do {
        try await body(client)
        try await client.shutdown()
    } catch {
        try await client.shutdown()
        throw error
    }
}

extension TransportLaws.Stage {
    private struct Unexpected: Error {
        let outcome: TestServer.Outcome
    }

    init(_ transport: any Transport, before server: TestServer) {
        self.init(
            transport: transport, request: TransportRequest(.to(server, "/")),
            received: { server.requests.map { .init(method: $0.method, fields: $0.fields, body: $0.body) } },
            arrival: { try await server.request(1) },
            departure: {
                let outcome = try await server.outcome(of: 1)
                guard outcome == .disconnected else { throw Unexpected(outcome: outcome) }
            })
    }
}

extension TestResponse {
    /// The scene as a live server plays it.
    init(_ scene: TransportLaws.Scene) {
        let wire = scene.encoded ?? scene.body
        let answer = TestResponse(scene.head.status, fields: scene.head.headerFields, body: wire)
        switch scene.ending {
        case .complete: self = answer
        case .truncated(let count): self = answer.truncated(after: count)
        case .withoutHead: self = .dropped
        case .silent: self = .hanging
        case .stalled(let count):
            let never = Gate()
            self = answer.heldInBody(after: count) { await never.pass() }
        }
    }
}

extension HTTPRequest {
    static func to(_ server: TestServer, _ path: String, _ method: Method = .get) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: server.authority, path: path)
    }
}
#endif
