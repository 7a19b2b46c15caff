#if os(Linux)
public import WharfCore
internal import WharfContentCoding

/// Sends requests by libcurl: the default on Linux.
///
/// ```swift
/// let transport = CurlTransport()
/// let client = APIClient(environment: environment, transport: transport)
/// ```
///
/// It speaks HTTP/1.1, and HTTP/2 where a server offers it by TLS. It follows no redirect, keeps no
/// cookies and answers no challenge, so 3xx, 401 and 407 come back as answers. A `file:` URL is
/// refused.
///
/// - **Body of an answer.** The reader's pace slows the sender: at most about 128 KB wait in memory
///   for a reader, the rest stays with the server. gzip and deflate are taken off, brotli and zstd
///   too where the system has `libbrotlidec.so.1` and `libzstd.so.1`. A body that ends in the
///   middle of its coding throws. See ``WharfContentCoding/ContentDecodingTransport``. A body with
///   neither `Content-Length` nor chunks ends where its connection ends. libcurl does not tell
///   whether TLS was closed with `close_notify` (RFC 9112 §9.8), so such a body can be cut without
///   an error.
/// - **Body of a request.** A stream is sent while it is read, at the network's pace; with GET too.
///   HEAD can't have a body.
/// - **Connections.** They are shared by all requests of one transport, so share the transport. At
///   most `connectionsPerHost` requests to one host move bytes at a time over HTTP/1.1; the next
///   ones wait in their order. An answer whose reader is behind by 128 KB does not count. One that
///   stays open while little comes (server-sent events) does, so allow more where there are many of
///   these. A request whose `timeout` passes while it waits says so.
/// - **Kept connections.** A server may close one just as the next request goes out on it. An
///   idempotent request (``WharfCore/TransportRequest/isIdempotent``) is sent once more, on a new
///   connection. Any other ends with ``WharfCore/TransportError/Code/connectionLost``, since the
///   server may have carried it out.
/// - **Timeout.** The request's `timeout` ends it, also while its body is not read.
///   `connectTimeout` holds beside it.
/// - **Proxy.** `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment, unless
///   ``Proxy`` says otherwise.
/// - **TLS.** The system's authorities are trusted. `SSL_CERT_FILE` and `SSL_CERT_DIR` name others,
///   read when the transport is made.
/// - **Pins.** ``WharfCore/PublicKeyPins`` are checked before anything is sent.
/// - **Head.** A field that is not UTF-8 is read as Latin-1. Interim answers and trailers are
///   dropped. A line above 100 KB, or a head above 256 KB, is an
///   ``WharfCore/TransportError/Code/invalidResponse``.
public final class CurlTransport: Transport {
    /// Which HTTP is spoken.
    package enum Version: Sendable {
        /// HTTP/2 where the server takes it in the handshake of TLS, and HTTP/1.1 elsewhere.
        case negotiated
        /// HTTP/2 without asking.
        case http2PriorKnowledge
    }

    private let loop: EventLoop
    private let pins: PublicKeyPins
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock

    /// A transport with a thread and connections of its own.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: requests beyond it wait for one that ends; at least one.
    ///   - connectTimeout: for the name, the connection and TLS together.
    ///   - proxy: where requests go through.
    ///   - pins: the keys of certain hosts.
    ///   - clock: measures timeouts of requests.
    ///   - wallClock: stamps the answers.
    public convenience init(
        connectionsPerHost: Int = 16, connectTimeout: Duration = .seconds(30), proxy: Proxy = .environment,
        pins: PublicKeyPins = .none, clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
    ) {
        let options = CurlOptions(
            connectionsPerHost: connectionsPerHost, connectTimeout: connectTimeout, proxy: proxy, version: .negotiated,
            certificates: CurlOptions.Certificates(CurlOptions.Certificates.system))
        self.init(options, pins: pins, clock: clock, wallClock: wallClock)
    }

    /// A transport for tests.
    ///
    /// - Parameter environment: in place of the process's, as another thread may read that while it
    ///   is changed.
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
        // What is under way goes on to its end.
        loop.tell(.drain)
    }

    /// Cancels what is under way and whatever is sent later, and closes the connections. May be
    /// called again.
    public func close() { loop.tell(.stop) }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if Task.isCancelled { throw .cancelled }
        guard request.cache != .storedOnly else {
            throw TransportError(.nothingKept, message: "only stored answers were asked for, and libcurl stores none")
        }
        let target = try Target(request.head)
        let entry = try entry(for: target)
        try request.checkBody()
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        var request = request
        let decoding = ContentDecoding.prepare(&request.head)
        var response: TransportResponse
        do throws(TransportError) {
            response = try await answer(to: request, target, entry, deadline, isOnFreshConnection: false)
        } catch {
            guard error.cause is KeptConnectionClosed, request.isIdempotent else { throw error }
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
        try exchange.start(deadline)
        let head = try await exchange.head()
        return TransportResponse(
            head: head, body: BodyStream(exchange, expectedLength: head.announcedLength(for: request.head.method)),
            provenance: Provenance(source: .network, asOf: wallClock.now()))
    }

    private func entry(for target: Target) throws(TransportError) -> PublicKeyPins.Entry? {
        guard let entry = pins.entry(for: target.host) else { return nil }
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
