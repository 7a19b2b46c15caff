#if Cast
internal import NIOCore
internal import WharfPlayback

/// One connection, which carries out the actions of a ``CastSession``.
///
/// Everything runs on the event loop of its channel.
final class CastConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The observers of the connection.
    struct Observers {
        let connected: (StateFeed<PlaybackState>) -> Void
        let ended: (PlaybackError) -> Void
    }

    private let watch: Stopwatch
    private let observers: Observers
    private let feed = StateFeed<PlaybackState>(.idle)
    private var session: CastSession
    private var context: ChannelHandlerContext?
    // Invariant on the event loop: each call is in `calls` or `arrivals` until it is answered, and
    // `end` answers all. No caller waits for an ended connection.
    private var calls: [UInt64: Call] = [:]
    private var lastCall: UInt64 = 0
    /// The callers that wait until the connection is ready; nil once it is.
    private var arrivals: [Call]? = []
    private var timer: Task<Void, Never>?

    init(on watch: Stopwatch, observers: Observers) {
        self.watch = watch
        self.observers = observers
        session = CastSession(at: watch.elapsed())
    }

    // MARK: What the screen wants

    func start(on loop: any EventLoop) {
        // The task holds this object until the session ends, which `wake` reports by nil.
        let bound = NIOLoopBound(self, eventLoop: loop)
        timer = Task { [watch] in
            do {
                while let due = try await loop.submit({ bound.value.wake() }).get() { try await watch.sleep(due) }
            } catch {
                // The timer is cancelled when the connection ends.
            }
        }
    }

    func arrive(_ call: Call) {
        guard arrivals != nil else { return call.answer(.success(())) }
        arrivals?.append(call)
    }

    /// Removes a waiting caller. The last one to leave ends the attempt.
    func depart(_ call: Call) {
        guard var waiting = arrivals, !waiting.isEmpty else { return }
        waiting.removeAll { $0 === call }
        arrivals = waiting
        if waiting.isEmpty { act(session.end(.left)) }
    }

    func perform(_ command: PlaybackCommand, for call: Call) {
        lastCall += 1
        calls[lastCall] = call
        act(session.perform(command, call: lastCall, at: watch.elapsed()))
    }

    func leave() { act(session.leave()) }

    func fail(_ error: any Error) { act(session.end(.lost(error))) }

    // MARK: What the channel tells

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The last caller may have left while the channel was being opened.
        if session.isEnded { return context.close(promise: nil) }
        // Bytes written before the end of the TLS handshake wait in the TLS handler.
        act(context.channel.isActive ? session.opened(at: watch.elapsed()) : session.end(.closed))
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        act(session.received(unwrapInboundIn(data).readableBytesView, at: watch.elapsed()))
    }

    func channelInactive(context: ChannelHandlerContext) { act(session.end(.closed)) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error) }

    /// - Returns: the time of the next call; nil after the end.
    private func wake() -> Duration? {
        act(session.wake(at: watch.elapsed()))
        return session.isEnded ? nil : session.due
    }

    private func act(_ actions: [CastSession.Action]) {
        for action in actions {
            switch action {
            case .send(let bytes): context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .state(let state): feed.update(state)
            case .answer(let call, let error):
                calls.removeValue(forKey: call)?.answer(error.map { .failure($0) } ?? .success(()))
            case .connected:
                // An earlier action of the same batch may have ended the session.
                guard !session.isEnded else { continue }
                // Before the callers return: they may ask for the states at once.
                observers.connected(feed)
                let waiting = arrivals ?? []
                arrivals = nil
                for call in waiting { call.answer(.success(())) }
            case .end(let error): end(error)
            }
        }
    }

    private func end(_ error: PlaybackError) {
        timer?.cancel()
        // Before the feed ends: a reader asks for the loss as soon as its sequence ends.
        observers.ended(error)
        feed.finish()
        let waiting = (arrivals ?? []) + calls.sorted { $0.key < $1.key }.map(\.value)
        arrivals = []
        calls = [:]
        for call in waiting { call.answer(.failure(error)) }
        // Closes after the pending writes.
        context?.close(promise: nil)
    }
}

extension PlaybackError {
    fileprivate static let closed = PlaybackError(.disconnected, "the receiver closed the connection")

    /// Returns the error for a failure of the network.
    static func lost(_ error: any Error) -> PlaybackError {
        if case ChannelError.connectTimeout? = error as? ChannelError {
            return PlaybackError(
                .timedOut,
                "the connection was not established in time; check that the receiver is on and in this network",
                cause: error)
        }
        return PlaybackError(
            .disconnected, "the receiver can't be reached, or its connection was lost; search for its address again",
            cause: error)
    }
}
#endif
