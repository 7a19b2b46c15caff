/// A sender of HTTP requests. It returns one answer per request.
///
/// Conform to it to use another HTTP client, or to wrap another transport (a cache, a log, a
/// fault). A conformer calls only the transport that it wraps.
///
/// A transport over an HTTP client that drops interim responses or trailers says so in its
/// documentation, and to its laws. A transport around another one passes both on.
///
/// Every conformer keeps these laws. `TransportLaws` in `WharfCoreLaws` checks all but the one
/// about `storedOnly`:
/// - The head describes exactly the delivered bytes. Decoded content has no `Content-Encoding` and
///   no stale `Content-Length`.
/// - A redirect is an answer and is not followed. `RedirectingTransport` follows redirects, above
///   the cache.
/// - Every status is an answer. The transport throws only if there is no answer.
/// - ``CacheMode/storedOnly`` never reaches the network. A transport without a store throws
///   ``TransportError/Code/nothingKept``.
/// - Interim responses go to ``TransportRequest/onInterim`` in order, before the head is returned.
/// - Trailers are read from ``BodyStream/trailers`` after the body. They never enter the head.
/// - A body that ends early throws, and never looks complete.
/// - Cancelling the task or releasing the body closes the connection.
/// - The timeout covers everything: after `timeout`, the head or the next piece of the body throws
///   ``TransportError/Code/timedOut``.
public protocol Transport: Sendable {
    /// Sends a request and returns its answer as soon as the head has arrived.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse
}
