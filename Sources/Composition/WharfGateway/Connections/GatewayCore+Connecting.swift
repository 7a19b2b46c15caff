#if Server
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOSSL
internal import NIOTLS
internal import Synchronization

extension GatewayCore {
    /// Prepares an accepted connection.
    func initialize(_ channel: any Channel) -> EventLoopFuture<Void> {
        connections.add(channel)
        let watchdog = ClientWatchdog()
        let prepared = channel.eventLoop.makeCompletedFuture {
            guard let tls else { return try addHTTP1(to: channel, watchdog) }
            // Bytes of a handshake are no step, so it ends in time or the connection closes.
            let handshake = ClientWatch()
            watchdog.add(handshake) { channel.closeAtOnce() }
            let negotiation = ApplicationProtocolNegotiationHandler { [self] result, channel in
                channel.eventLoop.makeCompletedFuture {
                    watchdog.remove(handshake)
                    switch result {
                    case .negotiated("h2"): try addHTTP2(to: channel, watchdog)
                    default:
                        try channel.pipeline.syncOperations.addHandler(SingleQuiesce())
                        try addHTTP1(to: channel, watchdog)
                    }
                    // The event of the shutdown found no handler during the handshake.
                    if connections.isClosing {
                        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
                    }
                }
            }
            try channel.pipeline.syncOperations.addHandlers([NIOSSLServerHandler(context: tls), negotiation])
        }
        // After the watches are added: a wait compares the watches that were there at its start.
        let task = Task { [configuration, clock] in await watchdog.run(limit: configuration.clientTimeout, on: clock) }
        channel.closeFuture.whenComplete { _ in task.cancel() }
        return prepared
    }

    private func addHTTP1(to channel: any Channel, _ watchdog: ClientWatchdog) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = configuration.requestHeadLimit
        limits.maxHeaderListSize = configuration.requestHeadLimit
        // The framing is set by `AnswerHead`: an answer to HEAD has a length and no body.
        var encoding = HTTPResponseEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        let decoder = HTTPRequestDecoder(
            leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .drop, limitConfiguration: limits)
        // After an upgrade the parser stops, and bytes that follow would pile up in memory.
        let parser = ByteToMessageHandler(decoder, maximumBufferSize: configuration.requestHeadLimit)
        try channel.pipeline.syncOperations.addHandlers([
            HTTPResponseEncoder(configuration: encoding), parser, HTTPServerPipelineHandler(),
            ConnectionHandler(channel, isStream: false, of: self, watchdog: watchdog),
        ])
    }

    private func addHTTP2(to channel: any Channel, _ watchdog: ClientWatchdog) throws {
        var settings = NIOHTTP2Handler.Configuration()
        // SwiftNIO ends the connection above this size. RFC 9113 §10.5.1 permits an answer of 431,
        // so the head of one stream is read up to twice the limit, and refused. A client that obeys
        // the setting can still get 431.
        let most = 2 * min(configuration.requestHeadLimit, 1 << 30)
        settings.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: 100),
            HTTP2Setting(parameter: .maxHeaderListSize, value: most),
        ]
        // A frame has at most 16 KiB. The default of five frames would end the connection before.
        settings.connection.maximumSequentialContinuationFrames = max(5, most >> 14 + 1)
        // Timers of SwiftNIO are off: the watchdog has the limits, and `Gateway` that of a drain.
        let manager = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(maxIdleTime: nil, maxAge: nil, maxGraceTime: nil, keepalive: nil))
        let streams = StreamCount()
        // A sequence that is not kept discards its streams, and the initializer has handled them.
        _ = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
            mode: .server, streamDelegate: manager.http2StreamDelegate, frameDelegate: FaultDelegate(channel),
            configuration: settings
        ) { [self] stream in
            stream.eventLoop.makeCompletedFuture {
                streams.add(stream)
                try stream.pipeline.syncOperations.addHandlers([
                    StreamCodec(scheme: site.clientScheme, headLimit: configuration.requestHeadLimit),
                    ConnectionHandler(stream, isStream: true, of: self, watchdog: watchdog),
                ])
            }
        }
        try channel.pipeline.syncOperations.addHandler(manager)
        let isLeaving = Atomic(false)
        watchdog.add(streams.watch) {
            // The first time the client is told to leave, as RFC 9113 §6.8 wants. A client that
            // does not answer is closed the second time.
            if isLeaving.exchange(true, ordering: .relaxed) {
                channel.closeAtOnce()
            } else {
                channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            }
        }
    }
}

/// Passes on the first event of a shutdown. SwiftNIO asserts that no second one follows.
///
/// A handshake that ends while `ConnectionList.quiesce` runs gets two: its own, and the list's.
private final class SingleQuiesce: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    private var hasPassed = false

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            guard !hasPassed else { return }
            hasPassed = true
        }
        context.fireUserInboundEventTriggered(event)
    }
}

/// The open streams of a connection of HTTP/2, which is idle without one.
private final class StreamCount: Sendable {
    /// It waits for a stream while there is none.
    let watch = ClientWatch()
    private let open = Mutex(0)

    func add(_ stream: any Channel) {
        change(by: 1)
        stream.closeFuture.whenComplete { _ in self.change(by: -1) }
    }

    private func change(by difference: Int) {
        open.withLock { open in
            open += difference
            watch.step(expectsMore: open == 0)
        }
    }
}

/// Closes a connection of HTTP/2 after an error of the whole connection, such as a flood of resets.
///
/// SwiftNIO tells the client by GOAWAY, and reports errors of streams in the same way as those of
/// the connection. Only the frame tells them apart.
private struct FaultDelegate: NIOHTTP2FrameDelegate {
    private let channel: any Channel

    init(_ channel: any Channel) { self.channel = channel }

    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload, code != .noError else { return }
        // The frame is flushed after this call.
        channel.eventLoop.execute { [channel] in channel.close(promise: nil) }
    }
}
#endif
