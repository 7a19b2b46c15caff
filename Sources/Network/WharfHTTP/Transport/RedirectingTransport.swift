public import WharfCore

/// A transport that follows redirects (RFC 9110 §15.4) over another transport.
///
/// Put it above the cache, which stores each redirect by itself.
///
/// | status | method and body of the next request |
/// |---|---|
/// | 301, 302 | POST becomes GET without body; others stay |
/// | 303 | GET without body; HEAD stays |
/// | 307, 308 | stay |
///
/// A response with another status, or with one of these but no `Location`, is returned. Fields that
/// may be credentials are removed if scheme, host or port change, and are not restored later. The
/// request's `timeout` covers the whole chain.
public struct RedirectingTransport: Transport {
    private let base: any Transport
    private let limit: Int
    private let clock: any Clock<Duration>

    /// Creates the transport.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of redirects; one more throws
    ///     ``TransportError/Code/tooManyRedirects``.
    ///   - clock: measures the rest of the timeout.
    public init(_ base: any Transport, limit: Int = 20, clock: any Clock<Duration> = ContinuousClock()) {
        self.base = base
        self.limit = limit
        self.clock = clock
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        var chain = RedirectChain(request, limit: limit)
        var request = request
        while true {
            var response = try await base.send(request)
            // The body of a redirect is released here, which ends its connection or makes it
            // available again.
            guard let next = try chain.next(after: response.head) else {
                response.leftCredentialsBehind = chain.leftCredentialsBehind
                return response
            }
            request = next
            // The rest of the time is for the rest of the chain.
            guard let deadline else { continue }
            let remaining = deadline.remaining()
            guard remaining > .zero else { throw .timedOut(after: deadline.timeout) }
            request.timeout = remaining
        }
    }
}
