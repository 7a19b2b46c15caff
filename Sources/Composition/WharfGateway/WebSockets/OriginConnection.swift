#if Server
internal import NIOCore
internal import WharfCore

/// A connection to the origin for one WebSocket, after the answer to its handshake.
struct OriginConnection: Sendable {
    let channel: any Channel
    /// The head, and the body if the origin has refused the WebSocket.
    let answer: TransportResponse
    /// The end of the connection; nil if the origin has refused the WebSocket.
    let relay: NIOLoopBound<Relay>?
}

extension Provenance {
    /// The provenance of an answer that has not passed the transport, and so no cache.
    static func bypassing(at now: WallTime) -> Provenance {
        Provenance(source: .network, asOf: now, cacheStatus: CacheStatus(hit: false, forward: .bypass))
    }
}
#endif
