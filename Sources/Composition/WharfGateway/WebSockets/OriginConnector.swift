#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// Opens connections to the origin for WebSockets, which no transport does.
final class OriginConnector: Sendable {
    /// The longest wait for the answer to a handshake, if the configuration has none.
    private static let longestHandshake: Duration = .seconds(30)

    private let site: Site
    private let timeout: Duration
    private let clock: any Clock<Duration>
    private let wallClock: any WallClock
    private let trustRoots: NIOSSLTrustRoots
    /// The settings of TLS. Reading the system's authorities takes long, so the first WebSocket
    /// makes them.
    private let madeContext = Mutex<NIOSSLContext?>(nil)

    /// - Throws: ``GatewayError`` if the file of the authorities can't be used.
    init(
        _ site: Site, _ configuration: GatewayConfiguration, clock: any Clock<Duration>, wallClock: any WallClock
    ) throws(GatewayError) {
        self.site = site
        self.clock = clock
        self.wallClock = wallClock
        timeout = configuration.timeout ?? Self.longestHandshake
        trustRoots =
            if let path = configuration.webSocketAuthorities {
                .certificates(try ServerIdentity.certificates(path, of: "certificate authorities"))
            } else {
                .default
            }
    }

    /// Sends a handshake on a connection of its own, and waits for the answer.
    ///
    /// - Parameters:
    ///   - request: the handshake, without the fields of the client's connection.
    ///   - loop: the event loop of the client's connection.
    func open(_ request: HTTPRequest, on loop: any EventLoop) async throws(TransportError) -> OriginConnection {
        let answer = Promise<Result<OriginConnection, TransportError>>()
        let deadline = Deadline(after: timeout, on: clock)
        let connecting = connect(on: loop, try tls(), answer)
        connecting.whenComplete { [self] result in
            switch result {
            case .success(let channel): send(request, on: channel)
            case .failure(let error): answer.fulfil(.failure(failure(error, .connectionFailed)))
            }
        }
        let timer = Task { [self] in
            // It throws if the answer came before.
            do { try await deadline.wait() } catch { return }
            answer.fulfil(.failure(failure("no answer within \(timeout)", .timedOut)))
        }
        defer { timer.cancel() }
        do throws(TransportError) {
            guard let result = await answer.waitUnlessCancelled() else { throw failure("the client left", .cancelled) }
            return try result.get()
        } catch {
            // The connection may be established after this.
            connecting.whenSuccess { $0.close(promise: nil) }
            throw error
        }
    }

    private func connect(
        on loop: any EventLoop, _ tls: NIOSSLContext?, _ answer: Promise<Result<OriginConnection, TransportError>>
    ) -> EventLoopFuture<any Channel> {
        let (host, port) = site.endpoint
        let dateOfAnswer = wallClock
        return ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(timeout))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls {
                        // RFC 6066 §3: an address is no server name. The certificate is then
                        // compared with the address of the connection.
                        let name = (try? SocketAddress(ipAddress: host, port: port)) == nil ? host : nil
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
                    }
                    let report = { @Sendable (result: Result<OriginConnection, TransportError>) in
                        _ = answer.fulfil(result)
                    }
                    let reason = { @Sendable [self] (error: any Error, code: TransportError.Code) in
                        failure(error, code)
                    }
                    try pipeline.addHandlers([
                        SwitchDetector(clock: dateOfAnswer, report: report, failure: reason),
                        HTTPRequestEncoder(),
                        ByteToMessageHandler(HTTPResponseDecoder(informationalResponseStrategy: .drop)),
                        RefusalReader(channel, clock: dateOfAnswer, report: report, failure: reason),
                    ])
                }
            }
            .connect(host: host, port: port)
    }

    private func send(_ request: HTTPRequest, on channel: any Channel) {
        var headers: HTTPHeaders = ["Host": site.authority, "Connection": "Upgrade", "Upgrade": "websocket"]
        for field in request.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: request.path ?? "/", headers: headers)
        // An error of the connection reaches its handlers.
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    private func tls() throws(TransportError) -> NIOSSLContext? {
        guard site.scheme == "https" else { return nil }
        do {
            return try madeContext.withLock { made in
                if let made { return made }
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.minimumTLSVersion = .tlsv12
                configuration.trustRoots = trustRoots
                // RFC 6455 is for HTTP/1.1.
                configuration.applicationProtocols = ["http/1.1"]
                let context = try NIOSSLContext(configuration: configuration)
                made = context
                return context
            }
        } catch {
            throw failure(error, .tlsFailed)
        }
    }

    private func failure(_ reason: any Error, _ code: TransportError.Code) -> TransportError {
        failure("\(reason)", reason is NIOSSLError || reason is BoringSSLError ? .tlsFailed : code, reason)
    }

    private func failure(_ reason: String, _ code: TransportError.Code, _ cause: (any Error)? = nil) -> TransportError {
        TransportError(
            code, message: "the WebSocket to \(site.scheme)://\(site.authority) could not be opened: \(reason)",
            cause: cause)
    }
}
#endif
