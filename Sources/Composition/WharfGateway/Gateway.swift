#if Server
public import NIOCore
internal import NIOHTTP1
internal import NIOPosix
public import ServiceLifecycle
public import WharfCore
internal import WharfPrimitives

/// A reverse proxy in front of one origin, with any transport.
///
/// With a caching transport it is an HTTP cache for clients in any language, which answers when the
/// origin does not.
///
/// ```swift
/// let transport = AsyncHTTPClientTransport()
/// let caching = CachingTransport(
///     ContentCheckingTransport(transport), store: MemoryCacheStore(), configuration: .shared,
///     onIncident: log)
/// let gateway = try await Gateway(origin: "https://api.example.com", transport: caching)
/// print("serving at \(gateway.url)")
/// try await gateway.run()
/// await transport.close()
/// ```
///
/// - **Protocols.** It speaks HTTP/1.1. With a ``GatewayConfiguration/certificate`` it speaks
///   HTTP/1.1 and HTTP/2 over TLS, as the client chooses by ALPN.
/// - **WebSockets** (RFC 6455) over HTTP/1.1 are passed through, each on its own connection to the
///   origin. Offline they are answered with 504, and so is an origin that does not answer within
///   ``GatewayConfiguration/timeout``, or 30 seconds without one. At a graceful shutdown they are
///   closed after ``GatewayConfiguration/drainLimit``.
/// - **Certificates** are renewed without a restart, by ``replaceCertificate(with:)``.
/// - **Lifecycle.** The gateway listens from its creation, and accepts connections from ``run()``.
///   It is a service of swift-service-lifecycle: at a graceful shutdown the requests in flight end,
///   for up to ``GatewayConfiguration/drainLimit``.
/// - **Bodies** stream in both directions, at the pace of the slower side.
/// - **Content codings.** A client with `Accept-Encoding` gets the bytes of the origin, with their
///   `Content-Encoding`. For any other client the origin is asked for bytes without a coding. If it
///   encodes all the same, the client gets decoded bytes with a weak `ETag`. Answers with
///   `no-transform`, parts (206) and unknown codings stay encoded.
/// - **Fields** of a connection are not passed on (RFC 9110 §7.6.1). `Via` and, by
///   ``GatewayConfiguration/forwarding``, the client's address are added. Each answer has
///   `Cache-Status` (RFC 9211).
/// - **Refused** with 400 are ambiguous framing, a missing or repeated `Host`, and invalid
///   percent-escapes. Another host or scheme than the gateway's is refused with 421, CONNECT and
///   TRACE with 501, and a long head with 431. In HTTP/2, a malformed request resets its stream,
///   and a flood of resets ends the connection.
/// - **Administration.** ``GatewayAdmin`` has its health, metrics and switches, and a web page.
/// - **Failures.** Without a stored answer, an unreachable origin is answered with 502, a timeout
///   with 504. The text says the reason.
///
/// Interim responses of the origin and trailers of its answers are passed on, if the transport
/// delivers them. Trailers of a request are dropped. A gateway without a certificate should listen
/// on a loopback address or behind a proxy that has TLS.
public final class Gateway: Service {
    private enum Ending: Sendable {
        case graceful, immediate
        case failed(GatewayError)
    }

    /// The host and port that the gateway listens at, such as `127.0.0.1:8080`.
    public let authority: String
    /// The port that the gateway listens at.
    public let port: Int
    /// The address for clients, such as `http://127.0.0.1:8080`, or with https.
    public var url: String { "\(core.site.clientScheme)://\(authority)" }

    let core: GatewayCore
    let listener: any Channel
    private let ending = Promise<Ending>()

    /// Binds the address, so that the port is known. ``run()`` accepts connections.
    ///
    /// The files of the certificate are read here. ``replaceCertificate(with:)`` reads renewed
    /// ones.
    ///
    /// - Parameters:
    ///   - origin: an http or https URL without a path.
    ///   - transport: sends the requests. Its read timeout ends requests to an origin that hangs.
    ///   - configuration: the address, the limits and the fields.
    ///   - eventLoopGroup: nil for the process-wide group. It must run as long as the gateway.
    ///   - clock: measures the timeouts of clients.
    ///   - wallClock: dates answers without `Date`.
    public init(
        origin: String, transport: any Transport, configuration: GatewayConfiguration = GatewayConfiguration(),
        eventLoopGroup: (any EventLoopGroup)? = nil, clock: any Clock<Duration> = ContinuousClock(),
        wallClock: any WallClock = .system
    ) async throws(GatewayError) {
        let target = try Site.origin(origin)
        let identity = try configuration.certificate.map { certificate throws(GatewayError) in
            try ServerIdentity(certificate)
        }
        // The core knows the bound address. No connection is accepted before `run()`, so it is
        // there in time.
        let core = Promise<GatewayCore>()
        let socket = try await ListeningSocket.bind(
            configuration.address, on: eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
        ) { channel in
            core.value?.initialize(channel) ?? channel.close()
        }
        listener = socket.channel
        port = socket.port
        authority = socket.authority
        do throws(GatewayError) {
            let site = try Site(
                target, listening: (host: socket.host, port: socket.port), isSecure: identity != nil,
                names: configuration.names, acceptsUnknown: configuration.acceptsUnknownNames)
            self.core = try GatewayCore(
                site: site, transport: transport, configuration: configuration, clock: clock, wallClock: wallClock,
                identity: identity)
        } catch {
            socket.channel.close(promise: nil)
            throw error
        }
        core.fulfil(self.core)
    }

    // Without `run()` no other owner closes the port.
    deinit { listener.close(promise: nil) }

    /// Accepts connections until ``shutDown()``, a graceful shutdown or a cancellation.
    ///
    /// It returns when all connections are closed and no request uses the transport. Call it once.
    /// A cancellation closes the connections at once.
    ///
    /// - Throws: ``GatewayError`` if the listening socket fails.
    public func run() async throws {
        let ending = ending
        listener.closeFuture.whenComplete { _ in
            ending.fulfil(.failed(.closed))
        }
        listener.setOption(.autoRead, value: true).whenFailure { error in
            ending.fulfil(.failed(GatewayError(.portUnavailable, message: "could not accept connections: \(error)")))
        }
        let end = await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await ending.wait()
            } onGracefulShutdown: {
                ending.fulfil(.graceful)
            }
        } onCancel: {
            ending.fulfil(.immediate)
        }
        listener.close(promise: nil)
        if case .graceful = end { await drain() } else { core.connections.closeAll() }
        await core.connections.wait()
        if case .failed(let error) = end { throw error }
    }

    /// Serves a renewed certificate, without a restart.
    ///
    /// Connections that are accepted from now on get the new certificate. Open ones go on with the
    /// old one. Call it again with the same paths if the files have changed. Calls must not
    /// overlap: the one that began first could bring the old certificate back.
    ///
    /// ```swift
    /// let expiresAt = try gateway.replaceCertificate(with: certificate)
    /// ```
    ///
    /// - Returns: the time when the certificate, or one of its issuers in the file, expires.
    /// - Throws: ``GatewayError`` if a file can't be used, or if the gateway serves http. The old
    ///   certificate stays.
    @discardableResult
    public func replaceCertificate(with certificate: GatewayCertificate) throws(GatewayError) -> WallTime {
        guard core.tls != nil else {
            throw GatewayError(
                .invalidCertificate,
                message: "could not replace the certificate of a gateway that serves http; "
                    + "make a new gateway, with a certificate in its configuration")
        }
        let identity = try ServerIdentity(certificate)
        core.replaceIdentity(with: identity)
        return identity.expiresAt
    }

    /// Ends ``run()``, after the requests in flight.
    ///
    /// It returns at once.
    public func shutDown() { ending.fulfil(.graceful) }

    private func drain() async {
        let connections = core.connections
        connections.quiesce()
        let deadline = Deadline(after: core.configuration.drainLimit, on: core.clock)
        let watchdog = Task {
            // It throws if all connections are closed before.
            do { try await deadline.wait() } catch { return }
            connections.closeAll()
        }
        await withTaskCancellationHandler {
            await connections.wait()
        } onCancel: {
            connections.closeAll()
        }
        watchdog.cancel()
    }
}

extension GatewayError {
    fileprivate static var closed: GatewayError {
        GatewayError(.portUnavailable, message: "the listening socket was closed; make a new gateway")
    }
}
#endif
