#if Server
internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import WharfCore

extension HTTPClient {
    /// Sends a request, and sends it again if a reused connection was closed meanwhile (RFC 9112
    /// §9.3.1).
    ///
    /// An origin may close an idle connection at any time, so that is no failure of the request. A
    /// request that is not idempotent is not sent again: the origin may have acted on it. If a new
    /// connection closes, that is a failure of the origin, which `RetryMiddleware` handles.
    func answer(
        to request: TransportRequest, at target: Target, observedBy observer: ExchangeObserver?
    ) async throws -> HTTPClientResponse {
        // The pool may hold several connections that the origin has closed.
        var attemptsLeft = request.isIdempotent ? 3 : 1
        while true {
            attemptsLeft -= 1
            do {
                // The exchange has the deadline, because it uses the injected clock.
                return try await execute(
                    HTTPClientRequest(request, to: target, observedBy: observer), deadline: .distantFuture)
            } catch {
                // Only a connection that the pool had kept: the origin had probably closed it
                // before the request. On a fresh one the failure is real.
                guard attemptsLeft > 0, Self.isOfAKeptConnection(error) else { throw error }
            }
        }
    }

    private static func isOfAKeptConnection(_ error: any Error) -> Bool {
        switch error {
        case let error as ClosedBeforeAnswer: error.wasKept
        // The connection closed before the answer. In HTTP/2 the request may have been sent.
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as ChannelError: error == .ioOnClosedChannel
        // The origin had sent more bytes than its last response has (RFC 9112 §6.3). The request
        // was not sent yet, and its own connection is closed.
        case let error as NIOHTTPDecoderError: error == .unsolicitedResponse
        // A write noticed the closed connection before a read did. `HeadBytes` reports a reset
        // before the answer; any other reset is within an answer, or of a new connection.
        case let error as IOError: error.errnoCode == EPIPE
        default: false
        }
    }
}
#endif
