#if Server
public import AsyncHTTPClient
public import NIOCore
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
///   those of one read from the socket. Bodies in gzip and deflate are decoded, and
///   `Content-Encoding` is removed.
/// - **Decompression limit.** A small piece may decode to a large one (a "zip bomb"), and is
///   decoded when it arrives. For untrusted servers set a limit: `configuration.decompression`.
/// - **Request body.** A stream is sent while it is read, at the network's pace, even with GET.
/// - **Timeout.** The request's `timeout` ends it. The timeouts of the configuration apply in
///   addition, including the one for connecting: 10 seconds by default.
/// - **Connections.** They are shared by all requests of one transport, so share the transport. If
///   a connection can't be established, its requests fail at once: `RetryMiddleware` retries them.
/// - **Pins.** ``WharfCore/PublicKeyPins`` are checked before the request is sent.
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
    ///     does not qualify: it follows redirects. A response after a redirect, or one that was not
    ///     decoded, is an ``WharfCore/TransportError/Code/invalidResponse``.
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
                message: "only a stored response was asked for, and a client stores none; ask the network")
        }
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        let target = try Target(request.head)
        let client = try clients.client(for: target)
        let exchange = Exchange(request.head, of: clients, in: open)
        guard open.add(exchange) else { throw .closed }
        exchange.watch(deadline)
        let head = try await exchange.head(of: request, to: target, by: client)
        return TransportResponse(
            head: head, body: BodyStream(exchange, expectedLength: head.announcedLength(for: request.head.method)),
            provenance: Provenance(source: .network, asOf: wallClock.now()))
    }
}
#endif
