#if TestServer
import WharfCore
import WharfHTTP
import WharfTestServer
import WharfTesting

extension TransportLaws.Subject {
    static let urlSession = TransportLaws.Subject("URLSessionTransport") { scene, clock, body in
        try await TestServer.run { server in
            server.route(nil, "/*", TestResponse(scene))
            let transport = URLSessionTransport(clock: clock)
            try await body(
                TransportLaws.Stage(
                    transport: transport, request: TransportRequest(.to(server, "/")),
                    received: {
                        server.requests.map { .init(method: $0.method, fields: $0.fields, body: $0.body) }
                    },
                    arrival: { try await server.request(1) },
                    departure: {
                        let outcome = try await server.outcome(of: 1)
                        guard outcome == .disconnected else { throw Unexpected(outcome: outcome) }
                    }))
        }
    }

    private struct Unexpected: Error {
        let outcome: TestServer.Outcome
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
    static func get(_ path: String) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: "origin.example", path: path)
    }

    static func to(_ server: TestServer, _ path: String, _ method: Method = .get) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: server.authority, path: path)
    }
}
#endif
