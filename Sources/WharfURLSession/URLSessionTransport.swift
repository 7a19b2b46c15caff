internal import Foundation
public import WharfCore
internal import WharfHTTP

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Sends requests by Foundation's `URLSession`, and `file:` URLs to a ``FileTransport``.
///
/// The session is ephemeral and keeps nothing: no cache, no cookies, no credentials. It follows no
/// redirect and answers no authentication challenge, so 3xx, 401 and 407 come back as answers.
///
/// - **Body of an answer.** The reader's pace can't slow the sender, since `URLSession` on Linux
///   has no back-pressure. What is not read yet waits in memory up to `bufferLimit`, and beyond it
///   in a temporary file without a name, which is gone with the answer. An answer with `no-store`
///   is never written: it waits in memory, whatever its size, so read it with a limit.
/// - **Body of a request.** A stream is collected before it is sent, for the same reason. A GET or
///   HEAD with a body is refused, as `URLSession` can't send it. A body without `Content-Type` goes
///   as `application/octet-stream`; left alone, `URLSession` would call it a form.
/// - **Kept connections.** A server may close one just as the next request goes out on it. On Linux
///   libcurl then sends what has no body again. What has one is sent again from here where it may
///   be sent twice (``WharfCore/TransportRequest/isIdempotent``); any other ends with
///   ``WharfCore/TransportError/Code/connectionLost``, since the server may have carried it out.
/// - **Timeout.** Only the request's `timeout` ends it; `URLSession`'s own idle limit is out of the
///   way.
/// - **Pins.** On Apple's platforms the key of a server is checked beside its certificate. On Linux
///   `URLSession` shows neither, so each request to a pinned host is refused with
///   ``WharfCore/TransportError/Code/pinningFailed``.
/// - **Fields.** Values of one name come joined by a comma, `Set-Cookie` apart. On Linux a field
///   that is not UTF-8 makes the answer fail with ``TransportError/Code/invalidResponse``, and dot
///   segments of the path are removed.
/// - **Redirects.** On Linux a redirect without `Location` comes without its body.
/// - **Faults of Foundation on Linux.** A connection that is closed in the middle of the head ends
///   the process ("Transfer completed, but there's no response"), which nothing above Foundation
///   can prevent; before the head and in the body it is an error like any other. A status line
///   without the space after its number is refused.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let delegate: URLSessionEvents
    private let files: FileTransport
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock
    private let bufferLimit: Int
    private let pins: PublicKeyPins

    /// - Parameters:
    ///   - connectionsPerHost: requests beyond it wait for one that ends.
    ///   - bufferLimit: bytes of one answer that may wait in memory for their reader.
    ///   - pins: the keys of certain hosts.
    ///   - clock: measures timeouts.
    ///   - wallClock: stamps the answers.
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
        // The session holds its delegate until then. What is under way goes on to its end.
        session.finishTasksAndInvalidate()
    }

    /// Cancels what is under way, and whatever is sent later.
    public func close() { delegate.close() }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if request.head.scheme?.lowercased() == "file" { return try await files.send(request) }
        if Task.isCancelled { throw .cancelled }
        guard request.cache != .storedOnly else {
            throw TransportError(.nothingKept, message: "only stored answers were asked for, and a session stores none")
        }
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        var urlRequest = try URLRequest(head: request.head)
        try pins.checkThatTheyCanBeChecked(for: urlRequest)
        let report = try await urlRequest.setBody(request.body, of: request.head)
        func answer() async throws(TransportError) -> TransportResponse {
            let exchange = URLSessionExchange(
                session.dataTask(with: urlRequest), request: request.head, bufferLimit: bufferLimit, report: report)
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
        var tries = KeptConnectionTries(hasKept: delegate.hasAnswer(of: Origin(of: request.head)))
        while true {
            do throws(TransportError) {
                return try await answer()
            } catch {
                guard request.isIdempotent, tries.allowAnother(after: error) else { throw error }
            }
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
        configuration.timeoutIntervalForRequest = URLRequest.longestTimeout
        configuration.timeoutIntervalForResource = URLRequest.longestTimeout
        return configuration
    }
}
