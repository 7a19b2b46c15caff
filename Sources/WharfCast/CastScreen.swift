#if Cast
internal import NIOCore
internal import NIOPosix
internal import Synchronization
public import WharfPlayback
internal import WharfPrimitives

/// A Google Cast receiver: a Chromecast, or a television or speaker with Cast built in. It plays by
/// Google's default media receiver, which needs no registration.
///
/// ```swift
/// let screen = CastScreen(id: "…", name: "Living room", host: "192.168.1.20")
/// try await screen.connect()
/// try await screen.perform(.load(film, at: .seconds(42), playing: true))
/// ```
///
/// The app finds receivers by itself: they announce `_googlecast._tcp` by multicast DNS.
///
/// - **Sessions.** Connecting starts the media receiver, which ends another app there; where it
///   runs already, whoever has started it, its session is joined. What other senders do is told in
///   ``states()``. Letting go of the screen leaves it playing.
/// - **Positions.** The receiver says where it is when something changes, and is asked every five
///   seconds.
/// - **Losses.** A receiver that says nothing for ten seconds is lost.
/// - **Trust.** The connection is encrypted, and does not prove which device it is: receivers show
///   a certificate that they signed themselves, which is not checked. Who controls the network can
///   pose as a receiver, and learns the addresses of what is played.
public final class CastScreen: Screen {
    /// The key `id` of the receiver's announcement.
    public let id: String
    /// The key `fn` of the receiver's announcement.
    public let name: String

    private struct Shown {
        var feed: StateFeed<PlaybackState>?
        var loss: PlaybackError?
    }

    private let host: String
    private let port: Int
    private let clock: any Clock<Duration>
    private let resolver: (any Resolver & Sendable)?
    private let loop: any EventLoop
    /// Used on the event loop only, as all that is written and read.
    private let link: NIOLoopBoundBox<CastLink?>
    private let shown = Mutex(Shown())

    /// - Parameters:
    ///   - host: an address or a name.
    ///   - clock: measures how long answers and heartbeats take.
    public convenience init(
        id: String, name: String, host: String, port: Int = 8009, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(id: id, name: name, host: host, port: port, clock: clock, resolver: nil)
    }

    /// - Parameter resolver: nil for the system's.
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
        loop = MultiThreadedEventLoopGroup.singleton.next()
        link = .makeEmptyBox(valueType: CastLink.self, eventLoop: loop)
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
            let error = PlaybackError(.disconnected, "expected a connected screen; connect it first", cause: loss)
            call.answer(.failure(error))
        }
        try await call.wait {}
    }

    private func open() -> CastLink {
        let opened = CastLink(
            on: Stopwatch(clock),
            hearers: .init(
                connected: { [weak self] feed in self?.show(feed) },
                ended: { [weak self, link] error in
                    link.value = nil
                    self?.hide(error)
                }))
        link.value = opened
        opened.start(on: loop)
        let bound = NIOLoopBound(opened, eventLoop: loop)
        CastChannel.open(host: host, port: port, on: loop, resolver: resolver) { bound.value }
            .whenFailure { bound.value.fail($0) }
        return opened
    }

    private func show(_ feed: StateFeed<PlaybackState>) { shown.withLock { $0 = Shown(feed: feed) } }

    private func hide(_ error: PlaybackError) {
        shown.withLock { shown in
            // Before somebody was connected there was nothing to lose.
            if shown.feed != nil { shown.loss = error }
            shown.feed = nil
        }
    }
}
#endif
