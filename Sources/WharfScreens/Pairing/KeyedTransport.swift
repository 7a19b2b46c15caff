public import WharfCore

/// A transport that authenticates each request by the key of a pairing.
///
/// Put it below layers that change a request or send it again. Each sending needs a counter of its
/// own: the receiver refuses a request that it has seen.
public struct KeyedTransport: Transport {
    /// Bodies of the screen protocol are shorter.
    static let bodyLimit = 1 << 20

    private let base: any Transport
    private let key: ScreenKey

    public init(_ base: any Transport, key: ScreenKey) { (self.base, self.key) = (base, key) }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        // The code covers the whole body, so a stream is read before it is sent.
        let body = try await request.body.collect(upTo: Self.bodyLimit)
        if case .stream = request.body { request.body = .bytes(body) }
        request.head.headerFields[.authorization] = key.authorization(
            request.head.method, request.head.path ?? "/", body: body)
        return try await base.send(request)
    }
}
