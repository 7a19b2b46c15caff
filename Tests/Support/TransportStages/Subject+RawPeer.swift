package import WharfCore
package import WharfCoreLaws
package import WharfFakes

extension TransportLaws.Subject {
    /// A transport in front of an origin on real sockets.
    ///
    /// - Parameter run: makes a transport whose timeouts are measured by the clock, passes it to
    ///   the closure, and ends it.
    package static func overSockets(
        _ name: String,
        _ run:
            @escaping @Sendable (
                TestClock, @escaping @Sendable (any Transport) async throws -> Void
            ) async throws -> Void
    ) -> TransportLaws.Subject {
        TransportLaws.Subject(name) { scene, clock, body in
            try await withoutActuallyEscaping(body) { body in
                try await RawPeer.run(isAtIPv6: scene.isAtIPv6, answering: RawPeer.answer(scene)) { peer in
                    try await run(clock) { transport in
                        try await body(TransportLaws.Stage(transport, before: peer))
                    }
                }
            }
        }
    }
}

extension TransportLaws.Subject {
    /// The same transport, declared to drop interim responses and trailers.
    package func dropping() -> TransportLaws.Subject {
        var subject = self
        subject.deliversInterim = false
        subject.deliversTrailers = false
        return subject
    }
}

extension TransportLaws.Stage {
    /// - Parameter peer: the origin that plays the scene.
    package init(_ transport: any Transport, before peer: RawPeer) {
        self.init(
            transport: transport, request: TransportRequest(peer.request()),
            received: { peer.requests.map { .init(method: $0.method, fields: $0.fields, body: $0.body) } },
            arrival: { try await peer.arrivals(1) }, departure: { try await peer.departure() })
    }
}

extension RawPeer {
    package static func answer(_ scene: TransportLaws.Scene) -> Answer {
        { request in
            if let limit = scene.requestsPerConnection, request.earlier >= limit { return nil }
            return scene.written(to: request.method)
        }
    }

    /// Whether this machine has the address `::1`.
    package static var hasIPv6: Bool {
        do {
            _ = try RawSocket.listening(isAtIPv6: true)
            return true
        } catch {
            return false
        }
    }
}
