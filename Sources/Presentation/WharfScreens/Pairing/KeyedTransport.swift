public import WharfCore

/// A transport that authenticates each request with the key of a pairing.
///
/// Put it below layers that change or retry requests. Each attempt needs a counter of its own,
/// because the receiver refuses a counter that it has seen.
public struct KeyedTransport: Transport {
    /// The maximum length of a body in bytes. Bodies of the screen protocol are shorter.
    static let bodyLimit = 1 << 20

    private let base: any Transport
    private let key: ScreenKey

    /// Creates a transport that authenticates the requests of another transport.
    public init(_ base: any Transport, key: ScreenKey) { (self.base, self.key) = (base, key) }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        // The code covers the whole body, so a streamed body is collected before it is sent.
        let body = try await request.body.collect(upTo: Self.bodyLimit)
        // The bytes that were authenticated are the ones to send: a stream may be made only once.
        if case .stream = request.body { request.body = .bytes(body) }
        request.head.headerFields[.authorization] = key.authorization(
            request.head.method, request.head.path ?? "/", body: body)
        return try await base.send(request)
    }
}
