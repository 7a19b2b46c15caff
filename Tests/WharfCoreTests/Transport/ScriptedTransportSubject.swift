import WharfCore
import WharfTesting

extension TransportLaws.Subject {
    /// - Parameters:
    ///   - timer: measures the patience with what does not happen.
    ///   - wrap: puts a transport over the scripted one.
    static func scripted(
        _ name: String = "ScriptedTransport", timer: any Clock<Duration> = ContinuousClock(),
        wrap: @escaping @Sendable (any Transport) -> any Transport = { $0 }
    ) -> TransportLaws.Subject {
        TransportLaws.Subject(name, timer: timer) { scene, clock, body in
            let arrived = Gate()
            arrived.open()
            let transport = ScriptedTransport(timer: clock) { _ in
                await arrived.pass()
                return ScriptedAnswer(scene)
            }
            let head = HTTPRequest(method: .get, scheme: "http", authority: "origin.example", path: "/")
            try await body(
                TransportLaws.Stage(
                    transport: wrap(transport), request: TransportRequest(head),
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
}

extension ScriptedAnswer {
    /// The scene as a script plays it.
    fileprivate init(_ scene: TransportLaws.Scene) {
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
