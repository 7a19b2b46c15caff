#if AsyncHTTPClient
public import AsyncHTTPClient
public import NIOCore
public import WharfCore

/// Sends requests by AsyncHTTPClient, on SwiftNIO: for servers, and for Linux, where it does what
/// `URLSession` can't.
///
/// ```swift
/// let transport = AsyncHTTPClientTransport()
/// let client = APIClient(environment: environment, transport: transport)
/// // …
/// await transport.close()
/// ```
///
/// It follows no redirect, keeps no cookies and answers no challenge, so 3xx, 401 and 407 come back
/// as answers. A `file:` URL is refused.
///
/// - **Body of an answer.** The reader's pace slows the sender: what is not read stays with the
///   server, but for what one read from the socket gave. gzip and deflate are taken off and so is
///   `Content-Encoding`. A small piece may hold a large body (a "zip bomb") and is decoded as it
///   comes, so for servers that are not trusted set a limit for it: `configuration.decompression`.
/// - **Body of a request.** A stream is sent while it is read, at the network's pace; with GET too.
/// - **Timeout.** The request's `timeout` ends it. Those of the configuration hold beside it, as
///   does the time for connecting, 10 seconds unless the configuration says otherwise.
/// - **Connections.** They are shared by all requests of one transport, so share the transport. One
///   that can't be made fails its requests at once: `RetryMiddleware` tries again.
/// - **Pins.** ``WharfCore/PublicKeyPins`` are checked before anything is sent.
public final class AsyncHTTPClientTransport: Transport {
    private let clients: Clients
    private let open = OpenExchanges()
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock

    /// A transport with connections of its own.
    ///
    /// - Parameters:
    ///   - configuration: proxy, TLS, HTTP version, size of the connection pool and the like.
    ///     Redirects, retries and whether content is decoded are set by the transport: see
    ///     ``AsyncHTTPClient/HTTPClient/Configuration/keepingTransportLaws``.
    ///   - pins: the keys of certain hosts.
    ///   - eventLoopGroup: nil for the one that all of the process share. With pins, one that
    ///     speaks TLS by NIOSSL and not by Network.framework, which shows no certificates: each
    ///     request to a pinned host fails otherwise.
    ///   - clock: measures timeouts.
    ///   - wallClock: stamps the answers.
    public init(
        configuration: HTTPClient.Configuration = HTTPClient.Configuration(), pins: PublicKeyPins = .none,
        eventLoopGroup: (any EventLoopGroup)? = nil, clock: any Clock<Duration> = ContinuousClock(),
        wallClock: any WallClock = .system
    ) {
        self.clients = Clients(configuration, pins, on: eventLoopGroup)
        self.clock = clock
        self.wallClock = wallClock
    }

    /// A transport over a client that others use as well, and that its owner shuts down. It has no
    /// pins, as they belong to the connections.
    ///
    /// - Parameters:
    ///   - client: made with ``AsyncHTTPClient/HTTPClient/Configuration/keepingTransportLaws``.
    ///     `HTTPClient.shared` is not: it follows redirects. An answer that came by a redirect, or
    ///     that was not decoded, is an ``WharfCore/TransportError/Code/invalidResponse``.
    ///   - clock: measures timeouts.
    ///   - wallClock: stamps the answers.
    public init(
        client: HTTPClient, clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system
    ) {
        self.clients = Clients(lent: client)
        self.clock = clock
        self.wallClock = wallClock
    }

    /// Cancels what is under way and whatever is sent later, and returns when the transport's own
    /// connections are closed. May be called again. A transport that is let go closes them too,
    /// once the last answer is read.
    public func close() async {
        open.close()
        await clients.shutDown()
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        if Task.isCancelled { throw .cancelled }
        guard request.cache != .storedOnly else {
            throw TransportError(.nothingKept, message: "only stored answers were asked for, and a client stores none")
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
