public import WharfCore

/// Follows redirects (RFC 9110 §15.4) over another transport; it belongs above the cache, which
/// stores each redirect by itself.
///
/// | status | method and body of the next request |
/// |---|---|
/// | 301, 302 | POST becomes GET without body; others stay |
/// | 303 | GET without body; HEAD stays |
/// | 307, 308 | stay |
///
/// Any other status, and one of these without `Location`, is the answer. Fields that may be
/// credentials are left behind when scheme, host or port change, and do not come back. The
/// request's `timeout` is for the whole chain.
public struct RedirectingTransport: Transport {
    private let base: any Transport
    private let limit: Int
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - limit: redirects in a row; one more throws ``TransportError/Code/tooManyRedirects``.
    ///   - clock: measures what is left of the timeout.
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
            // The body of an answer that leads on is let go here, which ends its connection or
            // gives it back.
            guard let next = try chain.next(after: response.head) else {
                response.leftCredentialsBehind = chain.leftCredentialsBehind
                return response
            }
            request = next
            guard let deadline else { continue }
            let remaining = deadline.remaining()
            guard remaining > .zero else { throw .timedOut(after: deadline.timeout) }
            request.timeout = remaining
        }
    }
}
