public import WharfCore

/// A transport that answers requests for its entries.
public struct Origin: Transport {
    private let entries: Entries

    /// Creates an origin of these entries.
    public init(_ entries: Entries) { self.entries = entries }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let name = request.head.path?.split(separator: "/").last ?? ""
        guard let index = Int(name), (0..<entries.count).contains(index) else {
            throw TransportError(.invalidRequest, message: "expected the path of an entry, found \(name)")
        }
        return TransportResponse(
            head: entries.head(index), body: BodyStream(entries.body(index)),
            provenance: Provenance(source: .network, asOf: SystemWallClock().now())
        )
    }
}

/// A transport that always fails, for timing hits.
public struct NoNetwork: Transport {
    /// Creates the transport.
    public init() {}

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        throw TransportError(
            .connectionFailed, message: "the cache missed, and asked the network for \(request.head)")
    }
}
