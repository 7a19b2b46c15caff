public import WharfCore
public import WharfFakes

extension TransportLaws.Subject {
    /// Returns a ``StubTransport`` that plays the scenes, or a transport over it.
    ///
    /// Use it for a transport that wraps another one.
    ///
    /// ```swift
    /// @Test(arguments: TransportLaws.all)
    /// func myLogKeeps(law: Law<TransportLaws.Subject>) async throws {
    ///     try await law.check(.overStub("MyLog") { MyLog(over: $0) })
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - timer: measures ``patience``.
    ///   - wrap: makes the transport under test.
    public static func overStub(
        _ name: String = "StubTransport", timer: any Clock<Duration> = ContinuousClock(),
        wrap: @escaping @Sendable (any Transport) -> any Transport = { $0 }
    ) -> TransportLaws.Subject {
        TransportLaws.Subject(name, timer: timer) { scene, clock, body in
            let arrived = Gate()
            arrived.open()
            let stub = StubTransport(timer: clock) { _ in
                await arrived.pass()
                return StubAnswer(scene)
            }
            try await body(
                TransportLaws.Stage(transport: wrap(stub), stub: stub, playing: scene) { await arrived.arrivals() })
        }
    }
}

extension TransportLaws.Stage {
    /// Creates a stage over a stub.
    ///
    /// - Parameters:
    ///   - stub: the stub that gets the requests.
    ///   - scene: the scene, which has the address of the origin.
    public init(
        transport: any Transport, stub: StubTransport, playing scene: TransportLaws.Scene = TransportLaws.Scene(),
        arrival: @escaping @Sendable () async throws -> Void
    ) {
        let head = HTTPRequest(method: .get, scheme: "http", authority: scene.fakeAuthority, path: "/")
        self.init(
            transport: transport, request: TransportRequest(head),
            received: {
                var received: [TransportLaws.Received] = []
                for request in stub.requests { received.append(await TransportLaws.Received(request)) }
                return received
            },
            arrival: arrival, departure: { await stub.departures() })
    }
}

extension TransportLaws.Received {
    /// Creates the record of a request to a fake.
    ///
    /// If the body can't be read, the record has the text of the error instead.
    public init(_ request: TransportRequest) async {
        let body: [UInt8]
        do throws(TransportError) {
            body = try await request.body.collected()
        } catch {
            body = Array("\(error)".utf8)
        }
        self.init(method: request.head.method, fields: request.head.headerFields, body: body)
    }
}

extension StubAnswer {
    /// Creates the stub's form of a scene, with decoded content as above a transport.
    public init(_ scene: TransportLaws.Scene) {
        var head = scene.head
        head.headerFields[.contentEncoding] = nil
        self.init(head: head, chunks: scene.body.isEmpty ? [] : [scene.body])
        interim = scene.interim
        trailers = scene.trailers
        switch scene.ending {
        case .complete: break
        case .truncated(let count):
            chunks = [Array(scene.body.prefix(count))]
            failure = TransportError(.connectionLost, message: "truncated by the script")
        case .withoutHead: self = .failure(.connectionLost)
        case .invalid: self = .failure(.invalidResponse)
        case .silent: gate = Gate()
        case .stalled: bodyGate = Gate()
        }
    }
}
