#if os(Linux)
public import WharfCore
internal import WharfContentCoding

/// A transport on libcurl: the default on Linux.
///
/// ```swift
/// let transport = CurlTransport()
/// let client = APIClient(environment: environment, transport: transport)
/// ```
///
/// It speaks HTTP/1.1, and HTTP/2 if a server offers it in the TLS handshake. It follows no
/// redirect, keeps no cookies and answers no challenge, so 3xx, 401 and 407 are returned. A `file:`
/// URL is refused.
///
/// - **Response body.** The reader applies back-pressure: at most about 128 KB wait in memory, the
///   rest stays with the server. Bodies in gzip and deflate are decoded, and also brotli and zstd
///   if the system has `libbrotlidec.so.1` and `libzstd.so.1`. A body that ends before its coding
///   ends throws. See ``WharfContentCoding/ContentDecodingTransport``.
/// - **Unframed bodies.** A response body with neither `Content-Length` nor chunks ends with its
///   connection. libcurl does not report whether TLS was closed with `close_notify` (RFC 9112
///   §9.8). So such a body can be truncated without an error.
/// - **Request body.** A stream is sent while it is read, at the network's pace, even with GET.
///   HEAD can't have a body.
/// - **Connections.** They are shared by all requests of one transport, so share the transport.
///   Over HTTP/1.1 at most `connectionsPerHost` requests to one host move bytes at a time. Further
///   ones wait in a FIFO queue. If a request's `timeout` passes in the queue, its error says so.
/// - **Slow readers and streams.** A response whose reader is behind by 128 KB does not count
///   towards `connectionsPerHost`. A mostly idle response (server-sent events) does, so raise the
///   limit if there are many.
/// - **Reused connections.** A server may close one just as the next request is sent on it. An
///   idempotent request (``WharfCore/TransportRequest/isIdempotent``) is sent once more, on a new
///   connection. Any other fails with ``WharfCore/TransportError/Code/connectionLost``, because the
///   server may have carried it out.
/// - **Timeout.** The request's `timeout` ends it, even while its body is not read.
///   `connectTimeout` applies in addition.
/// - **Proxy.** The default is `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the
///   environment; see ``Proxy``.
/// - **TLS.** The system's authorities are trusted. `SSL_CERT_FILE` and `SSL_CERT_DIR` name others;
///   they are read when the transport is created.
/// - **Pins.** ``WharfCore/PublicKeyPins`` are checked before the request is sent.
/// - **Head.** A field that is not UTF-8 is read as Latin-1. A line above 100 KB, or heads and
///   trailers above 256 KB together, are an ``WharfCore/TransportError/Code/invalidResponse``.
/// - **Interim responses.** ``WharfCore/TransportRequest/onInterim`` gets each one. The transport
///   adds no `Expect`, so a 100 is passed on too.
/// - **Trailers.** ``WharfCore/BodyStream/trailers`` has them after the body. A malformed line
///   among them is dropped.
public final class CurlTransport: Transport {
    /// The HTTP version.
    package enum Version: Sendable {
        /// HTTP/2 if the server accepts it in the TLS handshake, otherwise HTTP/1.1.
        case negotiated
        /// HTTP/2 without negotiation.
        case http2PriorKnowledge
    }

    // The transport's `deinit` ends the loop's thread, so exchanges refer to the loop and never to
    // the transport.
    private let loop: EventLoop
    private let pins: PublicKeyPins
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock

    /// Creates a transport with its own thread and connections.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: the limit of concurrent requests per host, at least one. Further
    ///     requests wait.
    ///   - connectTimeout: the limit for name resolution, connection and TLS together.
    ///   - proxy: the proxy of all requests.
    ///   - pins: the pinned keys of hosts.
    ///   - clock: measures the timeouts of requests.
    ///   - wallClock: stamps the responses.
    public convenience init(
        connectionsPerHost: Int = 16, connectTimeout: Duration = .seconds(30), proxy: Proxy = .environment,
        pins: PublicKeyPins = .none, clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
    ) {
        let options = CurlOptions(
            connectionsPerHost: connectionsPerHost, connectTimeout: connectTimeout, proxy: proxy, version: .negotiated,
            certificates: CurlOptions.Certificates(CurlOptions.Certificates.system))
        self.init(options, pins: pins, clock: clock, wallClock: wallClock)
    }

    /// Creates a transport for tests.
    ///
    /// - Parameter environment: replaces that of the process, because changing the latter while
    ///   another thread reads it is a race.
    package convenience init(
        version: Version = .negotiated, environment: [String: String] = [:], proxy: Proxy = .direct,
        pins: PublicKeyPins = .none
    ) {
        let options = CurlOptions(
            connectionsPerHost: 16, connectTimeout: .seconds(300), proxy: proxy, version: version,
            certificates: CurlOptions.Certificates { environment[$0] })
        self.init(options, pins: pins, clock: ContinuousClock(), wallClock: .system)
    }

    private init(_ options: CurlOptions, pins: PublicKeyPins, clock: any Clock<Duration>, wallClock: any WallClock) {
        self.loop = EventLoop.start(options)
        self.pins = pins
        self.clock = clock
        self.wallClock = wallClock
    }

    deinit {
        // The open exchanges go on to their end.
        loop.tell(.drain)
    }

    /// Cancels all open and later requests, and closes the connections.
    ///
    /// It may be called again.
    public func close() { loop.tell(.stop) }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        // A cancelled caller must cause no side effect on the server.
        if Task.isCancelled { throw .cancelled }
        // `storedOnly` must never reach the network (a law of `Transport`).
        guard request.cache != .storedOnly else {
            throw TransportError(
                .nothingKept,
                message: "the request allows only a stored response, and libcurl stores none; ask the network, or "
                    + "put a CachingTransport over the transport")
        }
        // All checks that can refuse the request run before the exchange exists, so a refusal needs
        // no cleanup.
        let target = try Target(request.head)
        let entry = try entry(for: target)
        try request.checkBody()
        // Both attempts share one deadline. With one for each, a retry would double the caller's
        // timeout.
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        var request = request
        // This adds `Accept-Encoding`, so it precedes the copy of the head into the exchange.
        let decoding = ContentDecoding.prepare(&request.head)
        var response: TransportResponse
        do throws(TransportError) {
            response = try await answer(to: request, target, entry, deadline, isOnFreshConnection: false)
        } catch {
            // The server may have carried out the first attempt (RFC 9110 §9.2.2).
            guard error.cause is KeptConnectionClosed, request.isIdempotent else { throw error }
            // A fresh connection has served no earlier request, so one retry suffices.
            response = try await answer(to: request, target, entry, deadline, isOnFreshConnection: true)
        }
        return try decoding.apply(to: response, for: request.head.method)
    }

    private func answer(
        to request: TransportRequest, _ target: Target, _ entry: PublicKeyPins.Entry?, _ deadline: Deadline?,
        isOnFreshConnection: Bool
    ) async throws(TransportError) -> TransportResponse {
        let exchange = Exchange(
            request, to: target, pins: entry, isOnFreshConnection: isOnFreshConnection, on: loop)
        // The exchange is in the mailbox before a task can wait for its head. A loop that has ended
        // throws here.
        try exchange.start(deadline)
        let head = try await exchange.head()
        return TransportResponse(
            head: head, body: BodyStream(exchange, expectedLength: head.announcedLength(for: request.head.method)),
            provenance: Provenance(source: .network, asOf: wallClock.now()))
    }

    private func entry(for target: Target) throws(TransportError) -> PublicKeyPins.Entry? {
        guard let entry = pins.entry(for: target.host) else { return nil }
        // Without TLS no key is visible, and sending unchecked would defeat the pin.
        guard target.isSecure else { throw entry.uncheckable("http proves no key; use https") }
        return entry
    }
}

extension TransportRequest {
    fileprivate func checkBody() throws(TransportError) {
        if head.method == .connect {
            throw TransportError(
                .invalidRequest,
                message: "\(head.redacted()) can't be sent: CONNECT is for proxies; see CurlTransport.Proxy")
        }
        guard head.method == .head else { return }
        switch body {
        case .none, .bytes([]): return
        case .bytes, .stream:
            throw TransportError(
                .invalidRequest,
                message: "\(head.redacted()) can't be sent: libcurl sends no body with HEAD; leave it out")
        }
    }
}
#endif
