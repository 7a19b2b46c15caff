public import WharfCore

/// Does something around the sending of a request: retries it, logs it, signs it.
///
/// Conform to it for what concerns every request of a client. A conformer sends through `next` as
/// often as it needs to (or not at all), gives on the cancellation of its task, and lets go of an
/// answer's body that it does not hand on: `MiddlewareLaws` of `WharfHTTPLaws` checks both.
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
    func send(_ request: TransportRequest, next: any Transport) async throws(TransportError) -> TransportResponse
}

extension Transport {
    /// This transport inside of `middleware`: the first one sees a request first and its answer
    /// last.
    public func wrapped(in middleware: [any Middleware]) -> any Transport {
        middleware.reversed().reduce(self as any Transport) { next, outer in Wrapped(outer: outer, next: next) }
    }
}

private struct Wrapped: Transport {
    let outer: any Middleware
    let next: any Transport

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await outer.send(request, next: next)
    }
}
