/// Sends one request and gives one answer.
///
/// Conform to it to put another HTTP client under Wharf, or to wrap another transport (a cache, a
/// log, a fault). A conformer calls nothing but the transport that it wraps.
///
/// Every conformer keeps these laws; `WharfCoreLaws` checks them (`TransportLaws`), but for the one
/// about `storedOnly`:
/// - The head describes exactly the bytes delivered: decoded content has no `Content-Encoding` and
///   no stale `Content-Length`.
/// - A redirect is an answer, not something to follow. `RedirectingTransport` follows them, above
///   the cache.
/// - Every status is an answer; only what kept an answer from coming is thrown.
/// - ``CacheMode/storedOnly`` never reaches the network: a transport without a store throws
///   ``TransportError/Code/nothingKept``.
/// - A body that ends early throws from the body, and never looks complete.
/// - Cancelling the task, or letting go of the body, closes the connection.
/// - Nothing arrives after `timeout`: the head, or the next piece of the body, throws
///   ``TransportError/Code/timedOut``.
public protocol Transport: Sendable {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
