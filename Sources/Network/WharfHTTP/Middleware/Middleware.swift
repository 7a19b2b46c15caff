public import WharfCore

/// Wraps the sending of a request, for example to retry, log or sign it.
///
/// Conform to it for work that concerns every request of a client. `MiddlewareLaws` of
/// `WharfHTTPLaws` checks these rules for a conformer:
///
/// - It sends through `next` as often as it needs to, or not at all.
/// - It passes on the cancellation of its task.
/// - It releases the body of each response that it does not return.
///
/// ```swift
/// struct Signing: Middleware {
///     let key: SigningKey
///     func send(_ request: TransportRequest, next: any Transport) async throws(TransportError) -> TransportResponse {
///         var request = request
///         request.head.headerFields[.signature] = key.sign(request.head)
///         return try await next.send(request)
///     }
/// }
/// ```
public protocol Middleware: Sendable {
    /// Sends a request through `next`, or returns a response of its own.
    func send(_ request: TransportRequest, next: any Transport) async throws(TransportError) -> TransportResponse
}

extension Transport {
    /// Returns this transport wrapped in `middleware`.
    ///
    /// The first middleware sees a request first and its answer last.
    public func wrapped(in middleware: [any Middleware]) -> any Transport {
        // Wrapped from the inside out: the last one is nearest to the transport.
        middleware.reversed().reduce(self as any Transport) { next, outer in
            MiddlewareTransport(outer: outer, next: next)
        }
    }
}

private struct MiddlewareTransport: Transport {
    let outer: any Middleware
    let next: any Transport

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await outer.send(request, next: next)
    }
}
