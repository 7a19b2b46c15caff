#if Server
internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import WharfCore

extension HTTPClient {
    /// Sends a request, and sends it again if a reused connection was closed meanwhile (RFC 9112
    /// §9.3.1).
    ///
    /// An origin may close an idle connection at any time, so that is no failure of the request. A
    /// request that is not idempotent is not sent again: the origin may have acted on it. If a new
    /// connection closes, that is a failure of the origin, which `RetryMiddleware` handles.
    func answer(to request: TransportRequest, at target: Target) async throws -> HTTPClientResponse {
        // The pool may hold several connections that the origin has closed.
        var attemptsLeft = request.isIdempotent ? 3 : 1
        while true {
            attemptsLeft -= 1
            do {
                // The exchange has the deadline, because it uses the injected clock.
                return try await execute(HTTPClientRequest(request, to: target), deadline: .distantFuture)
            } catch {
                guard attemptsLeft > 0, Self.isOfAKeptConnection(error) else { throw error }
            }
        }
    }

    private static func isOfAKeptConnection(_ error: any Error) -> Bool {
        switch error {
        case let error as ClosedBeforeAnswer: error.wasKept
        // The pool returned a connection that was closed meanwhile: no byte was sent.
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as ChannelError: error == .ioOnClosedChannel
        // A write noticed the closed connection before a read did.
        case let error as IOError: error.errnoCode == EPIPE || error.errnoCode == ECONNRESET
        default: false
        }
    }
}
#endif
