#if Server
public import AsyncHTTPClient
public import NIOCore
internal import WharfContentCoding
public import WharfCore

/// A transport on AsyncHTTPClient and SwiftNIO, for servers and for Linux.
///
/// On Linux it provides features that `URLSession` lacks.
///
/// ```swift
/// let transport = AsyncHTTPClientTransport()
/// let client = APIClient(environment: environment, transport: transport)
/// // …
/// await transport.close()
/// ```
///
/// It follows no redirect, keeps no cookies and answers no challenge, so 3xx, 401 and 407 are
/// returned. A `file:` URL is refused.
///
/// - **Response body.** The reader applies back-pressure: unread bytes stay with the server, except
///   those of one read from the socket.
/// - **Content codings.** Bodies in gzip and deflate are decoded, and also brotli and zstd if the
///   system has `libbrotlidec.so.1` and `libzstd.so.1`. A body that ends before its coding ends
///   throws. A request with its own `Accept-Encoding` gets the bytes as they were sent. See
///   ``WharfContentCoding/ContentDecodingTransport``.
/// - **Request body.** A stream is sent while it is read, at the network's pace, even with GET.
/// - **Timeout.** The request's `timeout` ends it. The timeouts of the configuration apply in
///   addition, including the one for connecting: 10 seconds by default.
/// - **Connections.** They are shared by all requests of one transport, so share the transport. If
///   a connection can't be established, its requests fail at once: `RetryMiddleware` retries them.
/// - **Pins.** ``WharfCore/PublicKeyPins`` are checked before the request is sent.
/// - **Interim responses and trailers.** ``WharfCore/TransportRequest/onInterim`` gets each interim
///   response, 100 too, as the client adds no `Expect`. ``WharfCore/BodyStream/trailers`` are those
///   of the response. A shared client drops both.
public final class AsyncHTTPClientTransport: Transport {
    private let clients: Clients
    private let open = OpenExchanges()
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock

    /// Creates a transport with its own connections.
    ///
    /// - Parameters:
    ///   - configuration: proxy, TLS, HTTP version, size of the connection pool and other options.
    ///     The transport itself sets redirects, retries and content decoding; see
    ///     ``AsyncHTTPClient/HTTPClient/Configuration/keepingTransportLaws``.
    ///   - pins: the pinned keys of hosts.
    ///   - eventLoopGroup: nil for the process-wide group. With pins its TLS must be NIOSSL's.
    ///     Network.framework shows no certificates, so each request to a pinned host would fail.
    ///   - clock: measures timeouts.
    ///   - wallClock: stamps the responses.
    public init(
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(), pins: PublicKeyPins = .none,
        eventLoopGroup: (any EventLoopGroup)? = nil, clock: any Clock<Duration> = ContinuousClock(),
        wallClock: any WallClock = .system
    ) {
        self.clients = Clients(configuration, pins, on: eventLoopGroup)
        self.clock = clock
        self.wallClock = wallClock
    }

    /// Creates a transport over a shared client, which its owner shuts down.
    ///
    /// It has no pins, because they belong to the connections.
    ///
    /// - Parameters:
    ///   - client: a client made with
    ///     ``AsyncHTTPClient/HTTPClient/Configuration/keepingTransportLaws``. `HTTPClient.shared`
    ///     does not qualify: it follows redirects. A response after a redirect, or a body of gzip
    ///     that the client has decoded, is an ``WharfCore/TransportError/Code/invalidResponse``.
    ///   - clock: measures timeouts.
    ///   - wallClock: stamps the responses.
    public init(
        client: HTTPClient, clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
    ) {
        self.clients = Clients(lent: client)
        self.clock = clock
        self.wallClock = wallClock
    }

    /// Cancels all open and later requests, and closes the transport's own connections.
    ///
    /// It returns when they are closed, and may be called again. A released transport closes them
    /// too, after the last response is read.
    public func close() async {
        open.close()
        await clients.shutDown()
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if Task.isCancelled { throw .cancelled }
        guard request.cache != .storedOnly else {
            throw TransportError(
                .nothingKept,
                message: "the request allows only a stored response, and a client stores none; ask the network, or "
                    + "put a CachingTransport over the transport")
        }
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        let target = try Target(request.head)
        let client = try clients.client(for: target)
        var request = request
        // This adds `Accept-Encoding`, so it precedes the copy of the head into the exchange.
        let decoding = ContentDecoding.prepare(&request.head)
        let exchange = Exchange(request.head, of: clients, in: open)
        guard open.add(exchange) else { throw .closed }
        exchange.watch(deadline)
        let head = try await exchange.head(of: request, to: target, by: client)
        let response = TransportResponse(
            head: head, body: BodyStream(exchange, expectedLength: head.announcedLength(for: request.head.method)),
            provenance: Provenance(source: .network, asOf: wallClock.now()))
        return try decoding.apply(to: response, for: request.head.method)
    }
}
#endif
