#if Cast
internal import NIOCore
internal import NIOPosix
internal import Synchronization
public import WharfPlayback
internal import WharfPrimitives

/// A Google Cast receiver: a Chromecast, or another device with Cast built in.
///
/// It plays through Google's default media receiver, which needs no registration.
///
/// ```swift
/// let screen = CastScreen(id: "…", name: "Living room", host: "192.168.1.20")
/// try await screen.connect()
/// try await screen.perform(.load(film, at: .seconds(42), playing: true))
/// ```
///
/// The app has to discover receivers: they announce `_googlecast._tcp` by multicast DNS.
///
/// - **Sessions.** Connecting starts the media receiver, which ends another app there. If the media
///   receiver is running already, its session is joined. Actions of other senders appear in
///   ``states()``. After a disconnect the receiver plays on.
/// - **Positions.** The receiver reports its position with each change, and is asked every five
///   seconds.
/// - **Losses.** A receiver is lost after ten seconds without a message.
/// - **Trust.** The connection is encrypted, but does not authenticate the device: receivers have
///   self-signed certificates, which are not checked. An attacker in control of the network can
///   pose as a receiver, and learns the addresses of played items.
public final class CastScreen: Screen {
    /// The key `id` of the receiver's announcement.
    public let id: String
    /// The key `fn` of the receiver's announcement.
    public let name: String

    private struct PublishedState {
        // Invariant: `feed` is set during a connection, and `loss` only outside of one.
        var feed: StateFeed<PlaybackState>?
        var loss: PlaybackError?
    }

    private let host: String
    private let port: Int
    private let clock: any Clock<Duration>
    private let resolver: (any Resolver & Sendable)?
    private let loop: any EventLoop
    /// The connection. Like all reads and writes, it is used only on the event loop.
    private let link: NIOLoopBoundBox<CastConnection?>
    private let shown = Mutex(PublishedState())

    /// Creates a screen. It is not connected yet.
    ///
    /// - Parameters:
    ///   - id: the key `id` of the receiver's announcement.
    ///   - name: the key `fn` of the receiver's announcement.
    ///   - host: an address or a host name.
    ///   - port: the port of the receiver's announcement.
    ///   - clock: measures the timeouts of answers and heartbeats.
    public convenience init(
        id: String, name: String, host: String, port: Int = 8009, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(id: id, name: name, host: host, port: port, clock: clock, resolver: nil)
    }

    /// - Parameter resolver: resolves the host; nil for the system's resolver.
    init(
        id: String, name: String, host: String, port: Int, clock: any Clock<Duration>,
        resolver: (any Resolver & Sendable)?
    ) {
        self.id = id
        self.name = name
        self.host = host
        self.port = port
        self.clock = clock
        self.resolver = resolver
        // One loop for the life of the screen: calls run in the order in which they were made.
        loop = MultiThreadedEventLoopGroup.singleton.next()
        link = .makeEmptyBox(valueType: CastConnection.self, eventLoop: loop)
    }

    deinit {
        loop.execute { [link] in link.value?.leave() }
    }

    public var loss: PlaybackError? { shown.withLock { $0.loss } }

    public func states() -> AsyncStream<PlaybackState> {
        shown.withLock { $0.feed }?.states() ?? AsyncStream { $0.finish() }
    }

    public func connect() async throws(PlaybackError) {
        if Task.isCancelled { throw .left }
        let call = Call()
        loop.execute { [self] in
            // A second caller joins the attempt of the first. The receiver gets one connection.
            let link = self.link.value ?? open()
            link.arrive(call)
        }
        try await call.wait { [loop, link] in
            loop.execute { link.value?.depart(call) }
        }
    }

    public func disconnect() async {
        await callbackValue { (reply: @escaping @Sendable (()) -> Void) in
            loop.execute { [self] in
                link.value?.leave()
                shown.withLock { $0.loss = nil }
                reply(())
            }
        }
    }

    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        if Task.isCancelled { throw .left }
        let call = Call()
        loop.execute { [self] in
            if let link = link.value { return link.perform(command, for: call) }
            let error = PlaybackError(.disconnected, "the screen is not connected; connect it first", cause: loss)
            call.answer(.failure(error))
        }
        try await call.wait {}
    }

    private func open() -> CastConnection {
        let opened = CastConnection(
            on: Stopwatch(clock),
            observers: .init(
                connected: { [weak self] feed in self?.show(feed) },
                ended: { [weak self, link] error in
                    // Before the loss is shown: a caller that sees it may connect again at once,
                    // and must not get this link.
                    link.value = nil
                    self?.hide(error)
                }))
        link.value = opened
        opened.start(on: loop)
        // The channel can fail after the link has ended. `fail` then does nothing, as an ended
        // session ignores errors.
        let bound = NIOLoopBound(opened, eventLoop: loop)
        CastChannel.open(host: host, port: port, on: loop, resolver: resolver) { bound.value }
            .whenFailure { bound.value.fail($0) }
        return opened
    }

    private func show(_ feed: StateFeed<PlaybackState>) { shown.withLock { $0 = PublishedState(feed: feed) } }

    private func hide(_ error: PlaybackError) {
        shown.withLock { shown in
            // A failed first connection is not a loss.
            if shown.feed != nil { shown.loss = error }
            shown.feed = nil
        }
    }
}
#endif
