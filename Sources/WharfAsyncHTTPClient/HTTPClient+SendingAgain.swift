#if AsyncHTTPClient
internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import WharfCore

extension HTTPClient {
    /// Sends a request, and again where it met a kept connection that was being closed (RFC 9112
    /// §9.3.1).
    ///
    /// An origin may close an idle connection at any time, so this is no failure of the request. A
    /// request that is not idempotent is not sent again: the origin may have acted on it. A new
    /// connection that closes is a failure of the origin, which `RetryMiddleware` is for.
    func answer(to request: TransportRequest, at target: Target) async throws -> HTTPClientResponse {
        // A pool may hold more than one connection that the origin has closed.
        var attemptsLeft = request.isIdempotent ? 3 : 1
        while true {
            attemptsLeft -= 1
            do {
                // The deadline is the exchange's, which goes by the injected clock.
                return try await execute(HTTPClientRequest(request, to: target), deadline: .distantFuture)
            } catch {
                guard attemptsLeft > 0, Self.isOfAKeptConnection(error) else { throw error }
            }
        }
    }

    private static func isOfAKeptConnection(_ error: any Error) -> Bool {
        switch error {
        case let error as ClosedBeforeAnswer: error.wasKept
        // The pool gave a connection that was closed meanwhile: nothing was sent.
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as ChannelError: error == .ioOnClosedChannel
        // The end was seen by a write before it was seen by a read.
        case let error as IOError: error.errnoCode == EPIPE || error.errnoCode == ECONNRESET
        default: false
        }
    }
}
#endif
