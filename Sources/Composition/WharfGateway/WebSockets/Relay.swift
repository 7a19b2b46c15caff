#if Server
internal import NIOCore

/// One end of a pair of connections whose bytes flow to each other, such as those of a WebSocket.
///
/// Both ends are on one event loop. Each end is the only handler of its connection that reads, so
/// handlers after it see no further byte.
///
/// - **Back-pressure.** An end reads only while the other end is writable.
/// - **Half closes.** If one peer ends its side, the other peer is told after all bytes, and may
///   still send.
final class Relay: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    // Invariants:
    // - `held` has bytes only while there is no partner.
    // - After `isFinishing` nothing is written.
    private var context: ChannelHandlerContext?
    private var partner: Relay?
    private var held = ByteBuffer()
    /// Whether the peer sends no more, or nothing needs it any more.
    private var isInputClosed = false
    private var isFinishing = false
    private var isOutputClosed = false
    private let watch: ClientWatch?

    /// - Parameter watch: counts the writes that the peer has not taken; nil if the peer has no
    ///   limit of time.
    init(watch: ClientWatch? = nil) { self.watch = watch }

    /// Lets the bytes of two connections flow. Both ends are in their pipelines.
    static func join(_ first: Relay, _ second: Relay) {
        (first.partner, second.partner) = (second, first)
        first.start()
        second.start()
    }

    private func start() {
        if held.readableBytes > 0 {
            partner?.write(held)
            partner?.flush()
            held = ByteBuffer()
        }
        guard let context, context.channel.isActive else { partner?.finish(.all); return }
        if isInputClosed { partner?.finish(.output) }
        readOn()
    }

    // MARK: Writing

    /// Writes bytes on this end.
    func write(_ bytes: ByteBuffer) {
        guard !isFinishing else { return }
        context?.write(wrapOutboundOut(bytes), promise: nil)
    }

    func flush() { writeEnd().whenComplete { _ in } }

    /// Flushes; the future completes when the peer has taken all bytes.
    private func writeEnd() -> EventLoopFuture<Void> {
        guard let context else { preconditionFailure("an end was flushed after its removal") }
        let written = context.eventLoop.makePromise(of: Void.self)
        watch?.beginWrite()
        if let watch { written.futureResult.whenComplete { _ in watch.endWrite() } }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
        return written.futureResult
    }

    /// Closes this end, or its output, after all bytes.
    private func finish(_ mode: CloseMode) {
        guard let context else { return }
        if mode == .all {
            isInputClosed = true
            // TLS waits for the peer's end.
            context.read()
        }
        guard !isFinishing else {
            // Bytes that are still written must not be lost.
            if isOutputClosed, isInputClosed { context.close(promise: nil) }
            return
        }
        let written = writeEnd()
        isFinishing = true
        let end = NIOLoopBound(self, eventLoop: context.eventLoop)
        written.whenComplete { _ in
            end.value.isOutputClosed = true
            end.value.context?.close(mode: end.value.isInputClosed ? .all : .output, promise: nil)
        }
    }

    // MARK: The channel

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { (self.context, partner) = (nil, nil) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The other end has closed.
        guard !isInputClosed else { return }
        var bytes = unwrapInboundIn(data)
        if let partner { partner.write(bytes) } else { held.writeBuffer(&bytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let partner, partner.context != nil { partner.flush() }
        readOn()
    }

    private func readOn() {
        if let partner, partner.context?.channel.isWritable == true { context?.read() }
    }

    // Handlers after this one, and the channel itself, can't ask for bytes.
    func read(context: ChannelHandlerContext) {
        if isInputClosed { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner?.readOn() }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        isInputClosed = true
        partner?.finish(.output)
        if isOutputClosed { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        partner?.finish(.all)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The peer's end would look orderly to the other peer, so both are closed.
        context.close(promise: nil)
    }
}
#endif
