internal import Foundation
public import WharfCore
internal import WharfHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A transport on Foundation's `URLSession`; a ``FileTransport`` serves `file:` URLs.
///
/// The session is ephemeral: it has no cache, no cookies and no credential storage. It follows no
/// redirect and answers no authentication challenge, so 3xx, 401 and 407 are returned.
///
/// - **Response body.** There is no back-pressure, because `URLSession` on Linux has none. Unread
///   bytes wait in memory up to `bufferLimit`, then in an unnamed temporary file that is deleted
///   with the response. A `no-store` response is never written to disk: it waits in memory, so read
///   it with a limit.
/// - **Request body.** A stream is collected before it is sent, for the same reason. A GET or HEAD
///   with a body is refused, because `URLSession` can't send it. A body without `Content-Type` is
///   sent as `application/octet-stream`; `URLSession` itself would label it a form.
/// - **Reused connections.** A server may close one just as the next request is sent on it. On
///   Linux libcurl then sends a request without a body again. A request with a body is sent again
///   by the transport if it is idempotent (``WharfCore/TransportRequest/isIdempotent``). Any other
///   fails with ``WharfCore/TransportError/Code/connectionLost``, because the server may have
///   carried it out.
/// - **Timeout.** Only the request's `timeout` ends it; the idle limit of `URLSession` is disabled.
/// - **Pins.** On Apple's platforms the server's key is checked in addition to its certificate. On
///   Linux `URLSession` shows neither, so each request to a pinned host is refused with
///   ``WharfCore/TransportError/Code/pinningFailed``.
/// - **Fields.** Values with the same name are joined by a comma, except `Set-Cookie`. On Linux a
///   field that is not UTF-8 fails the response with ``TransportError/Code/invalidResponse``, and
///   dot segments of the path are removed.
/// - **Interim responses and trailers.** `URLSession` drops both, so
///   ``WharfCore/TransportRequest/onInterim`` is never called, and
///   ``WharfCore/BodyStream/trailers`` are nil.
/// - **Redirects.** On Linux a redirect without `Location` is returned without its body.
/// - **Bugs of Foundation on Linux.** A connection that is closed in the middle of the head ends
///   the process ("Transfer completed, but there's no response"). No code above Foundation can
///   prevent that. Before the head and in the body it is a normal error. A status line without the
///   space after its number is refused.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate: URLSessionEvents
    private let files: FileTransport
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock
    private let bufferLimit: Int
    private let pins: PublicKeyPins

    /// Creates a transport with its own session.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: the limit of concurrent requests per host. Further requests wait.
    ///   - bufferLimit: the bytes of one response that may wait in memory for their reader.
    ///   - pins: the pinned keys of hosts.
    ///   - clock: measures timeouts.
    ///   - wallClock: stamps the responses.
    public init(
        connectionsPerHost: Int = 6, bufferLimit: Int = 16 << 20, pins: PublicKeyPins = .none,
        clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
    ) {
        self.clock = clock
        self.wallClock = wallClock
        self.bufferLimit = bufferLimit
        self.pins = pins
        self.files = FileTransport(wallClock: wallClock)
        self.delegate = URLSessionEvents(pins: pins)
        self.session = URLSession(
            configuration: .keepingNothing(connectionsPerHost: connectionsPerHost), delegate: delegate,
            delegateQueue: nil)
    }

    deinit {
        // The session retains its delegate until then. Open exchanges go on to their end.
        session.finishTasksAndInvalidate()
    }

    /// Cancels all open and later requests.
    public func close() { delegate.close() }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if request.head.scheme?.lowercased() == "file" { return try await files.send(request) }
        if Task.isCancelled { throw .cancelled }
        guard request.cache != .storedOnly else {
            throw TransportError(
                .nothingKept,
                message: "the request allows only a stored response, and a session stores none; ask the network, or "
                    + "put a CachingTransport over the transport")
        }
        // One deadline for all attempts, and for collecting the body.
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        var urlRequest = try URLRequest(head: request.head)
        try pins.checkThatTheyCanBeChecked(for: urlRequest)
        let report = try await urlRequest.setBody(request.body, of: request.head)
        // Each attempt needs a task of its own: a task can't be resumed after its end.
        func answer() async throws(TransportError) -> TransportResponse {
            let exchange = URLSessionExchange(
                session.dataTask(with: urlRequest), request: request.head, bufferLimit: bufferLimit, report: report)
            // The exchange is in the table before its task starts. Otherwise the first event would
            // find no exchange and be lost.
            guard delegate.add(exchange) else {
                exchange.cancel()
                throw .closed
            }
            exchange.start(deadline)
            let head = try await exchange.head()
            return TransportResponse(
                head: head, body: BodyStream(exchange, expectedLength: head.announcedLength(for: request.head.method)),
                provenance: Provenance(source: .network, asOf: wallClock.now()))
        }
        // Asked before the first attempt, whose own response would make it true.
        var tries = KeptConnectionTries(hasKept: delegate.hasAnswer(of: Origin(of: request.head)))
        while true {
            do throws(TransportError) {
                return try await answer()
            } catch {
                // RFC 9110 §9.2.2: only an idempotent request may be sent again, because the server
                // may have carried it out.
                guard request.isIdempotent, tries.allowAnother(after: error) else { throw error }
            }
            // The cancellation may have arrived between two attempts, where no exchange could take
            // it.
            if Task.isCancelled { throw .cancelled }
            if let deadline, deadline.remaining() <= .zero { throw .timedOut(after: deadline.timeout) }
        }
    }
}

extension URLSessionConfiguration {
    fileprivate static func keepingNothing(connectionsPerHost: Int) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        // These limits would end a slow but live response before the request's own timeout.
        configuration.timeoutIntervalForRequest = URLRequest.longestTimeout
        configuration.timeoutIntervalForResource = URLRequest.longestTimeout
        return configuration
    }
}
