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

    /// - Parameter wrap: puts a transport over the scripted one.
    static func scripted(
        _ name: String = "ScriptedTransport", patience: Duration = .seconds(120),
        wrap: @escaping @Sendable (any Transport) -> any Transport = { $0 }
    ) -> TransportLaws.Subject {
        TransportLaws.Subject(name, patience: patience) { scene, clock, body in
            let arrived = Gate()
            arrived.open()
            let transport = ScriptedTransport(timer: clock) { _ in
                await arrived.pass()
                return ScriptedAnswer(scene)
            }
            try await body(
                TransportLaws.Stage(
                    transport: wrap(transport), request: TransportRequest(.get("/")),
                    received: {
                        var received: [TransportLaws.Received] = []
                        for request in transport.requests {
                            let body = await request.body.sent()
                            received.append(
                                .init(method: request.head.method, fields: request.head.headerFields, body: body))
                        }
                        return received
                    },
                    arrival: { await arrived.arrivals() },
                    departure: { await transport.departures() }))
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

extension ScriptedAnswer {
    /// The scene as a script plays it.
    init(_ scene: TransportLaws.Scene) {
        var head = scene.head
        head.headerFields[.contentEncoding] = nil
        self.init(head: head, chunks: scene.body.isEmpty ? [] : [scene.body])
        switch scene.ending {
        case .complete: break
        case .truncated(let count):
            chunks = [Array(scene.body.prefix(count))]
            failure = TransportError(.connectionLost, message: "truncated by the script")
        case .withoutHead: self = .failure(.connectionLost)
        case .silent: gate = Gate()
        case .stalled: bodyGate = Gate()
        }
    }
}

extension RequestBody {
    fileprivate func sent() async -> [UInt8] {
        switch self {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .stream(let make, _):
            do throws(TransportError) { return try await make().collect() } catch { return Array("\(error)".utf8) }
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
