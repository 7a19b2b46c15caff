#if TestServer
package import WharfCore
package import WharfCoreLaws
internal import WharfFakes
package import WharfTestServer

// The laws of transports over real sockets. Whoever tests with `WharfTestServer` need not have `WharfTesting`, so it stands in neither.

extension TransportLaws.Stage {
    private struct Unexpected: Error {
        let outcome: TestServer.Outcome
    }

    /// - Parameter server: plays the scene at each path.
    package init(_ transport: any Transport, before server: TestServer) {
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
    package init(_ scene: TransportLaws.Scene) {
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
    package static func to(_ server: TestServer, _ path: String, _ method: Method = .get) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "http", authority: server.authority, path: path)
    }
}
#endif
