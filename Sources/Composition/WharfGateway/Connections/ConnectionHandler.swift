#if Server
internal import NIOCore
internal import NIOHTTP1
internal import WharfCore

/// Reads the requests of one connection, and starts a task for each.
///
/// The handler before it, of SwiftNIO, delivers a request only after the answer to the one before.
/// In HTTP/2 each stream has a handler, and one request. All of its calls run on the event loop.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let gateway: GatewayCore
    private let connection: ClientConnection
    private let watchdog: ClientWatchdog
    /// The request that is answered, or the last one.
    private var exchange: ClientExchange?
    private var task: Task<Void, Never>?
    private var bodyLength: Int64 = 0
    /// Whether ``start(_:_:)`` is on the stack.
    ///
    /// A request that is delivered meanwhile gets a queued task, so the depth is at most two.
    private var isBeginning = false
    /// Whether the last answer was given. Further parts are discarded.
    private var isClosing = false

    /// - Parameters:
    ///   - isStream: whether the channel is a stream of HTTP/2.
    ///   - watchdog: the watchdog of the connection.
    init(_ channel: any Channel, isStream: Bool, of gateway: GatewayCore, watchdog: ClientWatchdog) {
        self.gateway = gateway
        self.watchdog = watchdog
        connection = ClientConnection(channel, isStream: isStream)
    }

    // MARK: The connection

    // With TLS the handler is added after the handshake, so it sees no `channelActive`.
    func handlerAdded(context: ChannelHandlerContext) {
        let stalled = NIOLoopBound(self, eventLoop: context.eventLoop)
        let (channel, watch, watchdog) = (connection.channel, connection.watch, watchdog)
        watchdog.add(watch) {
            channel.eventLoop.execute { stalled.value.closeStalled() }
        }
        channel.closeFuture.whenComplete { _ in watchdog.remove(watch) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        // The client has left. The transport ends the request to the origin.
        exchange?.upload?.fail(TransportError(.cancelled, message: "the client closed the connection"))
        task?.cancel()
        context.fireChannelInactive()
    }

    private func closeStalled() {
        let limit = gateway.configuration.clientTimeout
        if !isClosing, let exchange, exchange.upload?.isComplete == false, exchange.refuse(.tooSlow(limit)) {
            task?.cancel()
            // The stream ends after the answer, and the other streams go on.
            if connection.isStream { return }
        }
        connection.channel.closeAtOnce()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing, exchange?.phase.isLast != true else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head)
        case .body(let bytes): append(bytes)
        // Trailers of the request are dropped, as RFC 9110 §6.5.1 allows.
        case .end:
            connection.watch.step(expectsMore: exchange?.phase.isEnded == true)
            exchange?.upload?.complete()
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        let request: IncomingRequest
        do {
            request = try IncomingRequest(head, to: gateway.site, gateway.configuration, client: connection.address)
        } catch {
            return refuse(error, to: head.method == .HEAD ? .head : nil)
        }
        bodyLength = 0
        // The client waits for the gateway if it expects 100 (Continue).
        connection.watch.step(expectsMore: request.body != .none && !request.expectsContinue)
        let exchange = ClientExchange(request, on: connection, of: gateway)
        self.exchange = exchange
        let connections = gateway.connections
        connections.beginTask()
        let started = start(request) {
            await exchange.run()
            connections.endTask()
        }
        // The end of the answer may have delivered the next request, which has a task of its own.
        if self.exchange === exchange { task = started }
        // The channel may have closed in the meantime, when the task was not known.
        if !connection.channel.isActive { started.cancel() }
    }

    /// Starts the task of a request.
    ///
    /// Up to its first wait it runs in this call. A stored answer needs no wait, so it is written
    /// before the channel would pause its reads.
    private func start(_ request: IncomingRequest, _ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        // An answer before the body has arrived would close the connection. The body is delivered
        // after this call.
        guard request.body == .none,
            // The end of an answer delivers the next request of a client that pipelines. Each would
            // run within the one before, and many would fill the stack.
            !isBeginning, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
        else {
            return Task(executorPreference: connection.executor) { await work() }
        }
        isBeginning = true
        defer { isBeginning = false }
        return Task.immediate(executorPreference: connection.executor) { await work() }
    }

    private func append(_ bytes: ByteBuffer) {
        guard let exchange, let upload = exchange.upload, !exchange.phase.isEnded else { return }
        bodyLength += Int64(bytes.readableBytes)
        if let limit = gateway.configuration.requestBodyLimit, bodyLength > limit { return fail(.tooLarge(limit)) }
        upload.append(Array(bytes.readableBytesView))
        connection.watch.step(expectsMore: !upload.isFull)
    }

    /// Answers a request that has no task.
    private func refuse(_ refusal: Refusal, to method: HTTPRequest.Method?) {
        isClosing = true
        gateway.report(refusal, to: nil)
        connection.closeAfterAnswer(gateway.write(refusal, to: method, on: connection, closes: true))
    }

    /// Ends the current request, whose body is not acceptable.
    private func fail(_ refusal: Refusal) {
        guard let exchange else { return }
        isClosing = true
        exchange.upload?.fail(TransportError(.cancelled, message: refusal.message))
        // An answer that has begun can't become another one.
        if !exchange.refuse(refusal) { exchange.abort() }
        task?.cancel()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Errors of a connection that is closing, such as further bytes after a malformed request.
        guard !isClosing, exchange?.phase.isLast != true, context.channel.isActive else { return }
        if let refused = error as? StreamHead.Refused { return refuse(refused.refusal, to: refused.method) }
        guard let error = error as? HTTPParserError else {
            context.close(promise: nil)
            return
        }
        let refusal = Refusal(error, headLimit: gateway.configuration.requestHeadLimit)
        if let exchange, !exchange.phase.isEnded { fail(refusal) } else { refuse(refusal, to: nil) }
    }

    // MARK: Back-pressure

    func read(context: ChannelHandlerContext) {
        // `ChannelBody` calls for the next read when it has room.
        if exchange?.upload?.isFull != true { context.read() }
    }
}
#endif
