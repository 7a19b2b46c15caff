internal import Synchronization
public import WharfCore
public import WharfPlayback
internal import WharfPrimitives

/// A renderer by UPnP's AVTransport, as most television sets and network loudspeakers are.
///
/// ```swift
/// let screen = try await DLNAScreen.at("http://192.168.0.20:49152/description.xml", transport: transport)
/// try await screen.connect()
/// try await screen.perform(.load(film, at: .seconds(600), playing: true))
/// ```
///
/// It is asked for its state every so often (``DLNATiming``): events by GENA would need a server in
/// the app. A load at a position begins at the start for a moment, because renderers go to a
/// position only once they play; one that is not to play does so too. A renderer fetches an item by
/// itself, so `localhost` and addresses of other networks are out of its reach.
public final class DLNAScreen: Screen {
    /// What there is while connected.
    struct Session: Sendable {
        let number: UInt64
        let transport: AVTransport
        let feed: StateFeed<PlaybackState>
    }

    private struct Content {
        var playback: RenderedPlayback
        var session: Session?
        var polling: Task<Void, Never>?
        var loss: PlaybackError?
        /// Counts connections: what one has begun must not end in another.
        var number: UInt64 = 0
        /// Counts `disconnect()`, which also ends a connection that is not yet made.
        var departures: UInt64 = 0
        var misses = 0
        /// The connecting or the command that has its turn.
        var work: Task<Result<Void, PlaybackError>, Never>?
    }

    public let id: String
    public let name: String
    let timing: DLNATiming
    let clock: any Clock<Duration>
    let location: String
    private let exchange: DeviceExchange
    private let content: Mutex<Content>
    /// Commands and questions, one at a time: so no answer is older than a command before it.
    private let mutex = AsyncMutex()

    init(
        _ description: DeviceDescription, at location: String, over exchange: DeviceExchange, timing: DLNATiming,
        clock: any Clock<Duration>
    ) {
        id = description.id
        name = description.name
        self.location = location
        self.exchange = exchange
        self.timing = timing
        self.clock = clock
        content = Mutex(Content(playback: RenderedPlayback(slack: timing.interval * 2 + .seconds(1))))
    }

    /// The renderer that describes itself at an address, without a search.
    ///
    /// - Parameters:
    ///   - location: of its description: `http://192.168.0.20:49152/description.xml`.
    ///   - clock: measures all times but those of single answers, which are the transport's.
    /// - Throws: `disconnected`, `timedOut` where it can't be reached; `malformed`, `refused` where
    ///   what is there is no renderer.
    public static func at(
        _ location: String, transport: any Transport, timing: DLNATiming = DLNATiming(),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws(PlaybackError) -> DLNAScreen {
        let exchange = DeviceExchange(transport: transport, timeout: timing.answer)
        let description = try await DeviceDescription.fetch(location, over: exchange)
        return DLNAScreen(description, at: location, over: exchange, timing: timing, clock: clock)
    }

    deinit {
        let (session, polling) = content.withLock { ($0.session, $0.polling) }
        polling?.cancel()
        session?.feed.finish()
    }

    public var loss: PlaybackError? { content.withLock { $0.loss } }

    public func states() -> AsyncStream<PlaybackState> {
        guard let session = content.withLock({ $0.session }) else { return AsyncStream { $0.finish() } }
        return session.feed.states()
    }

    public func connect() async throws(PlaybackError) {
        let departures = content.withLock { $0.departures }
        try await inTurn { () throws(PlaybackError) in
            if content.withLock({ $0.session != nil }) { return }
            do throws(PlaybackError) {
                try await work(unlessAfter: departures) { () throws(PlaybackError) in
                    try await self.open(unlessAfter: departures)
                }
            } catch {
                throw content.withLock { $0.departures == departures } ? error : wasLetGo
            }
        }
    }

    public func disconnect() async { close(loss: nil) }

    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        try await inTurn { () throws(PlaybackError) in
            let (session, departures) = content.withLock { ($0.session, $0.departures) }
            guard let session else { throw notConnected }
            do throws(PlaybackError) {
                try await work(unlessAfter: departures) { () throws(PlaybackError) in
                    try await RendererOrders(screen: self, session: session).carry(out: command)
                }
            } catch {
                if Task.isCancelled { throw .left }
                throw content.withLock { $0.session?.number == session.number } ? error : notConnected
            }
        }
    }

    /// - Throws: `cancelled` if the task is cancelled before its turn.
    private func inTurn(_ body: () async throws(PlaybackError) -> Void) async throws(PlaybackError) {
        let hasRun: Void? = try await mutex.withLockUnlessCancelled(body)
        if hasRun == nil { throw .left }
    }

    private var notConnected: PlaybackError {
        PlaybackError(
            .disconnected, "expected a connection to \(name), but there is none; connect first", cause: loss)
    }

    private var wasLetGo: PlaybackError {
        PlaybackError(.cancelled, "\(name) was let go of before it was connected")
    }

    /// Does it in a task of its own, which `disconnect()` ends. Whoever does it has its turn.
    private func work(
        unlessAfter departures: UInt64, _ body: @escaping @Sendable () async throws(PlaybackError) -> Void
    ) async throws(PlaybackError) {
        let task = content.withLock { content -> Task<Result<Void, PlaybackError>, Never>? in
            guard content.departures == departures else { return nil }
            let task = Task { () -> Result<Void, PlaybackError> in
                do throws(PlaybackError) { return .success(try await body()) } catch { return .failure(error) }
            }
            content.work = task
            return task
        }
        guard let task else { throw wasLetGo }
        defer { content.withLock { $0.work = nil } }
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }
}

// MARK: - What is known

extension DLNAScreen {
    /// What is known now.
    var playback: RenderedPlayback { content.withLock { $0.playback } }

    /// Changes what is known, and tells it while it is connected. What is known outlives a
    /// connection.
    func update(_ session: Session, _ change: (inout RenderedPlayback) -> Void) {
        content.withLock { content in
            guard content.number == session.number else { return }
            change(&content.playback)
            session.feed.update(content.playback.state)
        }
    }

    /// Asks the device, and tells what comes of it.
    @discardableResult
    func look(_ session: Session) async throws(PlaybackError) -> TransportReading {
        let reading = try await session.transport.reading(withPosition: true)
        content.withLock { if $0.session?.number == session.number { $0.misses = 0 } }
        update(session) { $0.observe(reading) }
        return reading
    }

    private func open(unlessAfter departures: UInt64) async throws(PlaybackError) {
        let description = try await DeviceDescription.fetch(location, over: exchange)
        guard description.id == id else {
            throw PlaybackError(
                .refused,
                "expected \(name) (\(id)) at \(RedactedURL.text(location)), but found \(description.name) (\(description.id)); search again"
            )
        }
        let transport = AVTransport(service: description.transport, exchange: exchange)
        let reading = try await transport.reading(withPosition: true)
        let isOpen = content.withLock { content in
            guard content.departures == departures else { return false }
            content.number += 1
            content.misses = 0
            content.loss = nil
            content.playback.reconnect()
            content.playback.observe(reading)
            let session = Session(number: content.number, transport: transport, feed: StateFeed(content.playback.state))
            content.session = session
            content.polling = Task { [weak self, clock, timing] in
                while await Self.pause(clock, timing.interval), let self {
                    guard await self.poll(session) else { return }
                }
            }
            return true
        }
        guard isOpen else { throw wasLetGo }
    }

    /// - Returns: false when the task was cancelled.
    private static func pause(_ clock: any Clock<Duration>, _ duration: Duration) async -> Bool {
        do {
            try await clock.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }

    /// - Returns: whether to go on.
    private func poll(_ session: Session) async -> Bool {
        do throws(PlaybackError) {
            try await inTurn { () throws(PlaybackError) in _ = try await look(session) }
            return true
        } catch {
            if Task.isCancelled { return false }
            // Who refuses has answered.
            let isAnswer = error.cause is UPnPFault
            let isLost = content.withLock { content in
                guard content.session?.number == session.number else { return false }
                content.misses = isAnswer ? 0 : content.misses + 1
                return content.misses >= max(timing.misses, 1)
            }
            guard isLost else { return true }
            close(
                session.number,
                loss: PlaybackError(
                    .disconnected,
                    "expected \(name) to answer one of \(max(timing.misses, 1)) questions, but it answered none; see whether it is on",
                    cause: error))
            return false
        }
    }

    /// - Parameter number: of the connection that is meant; nil for any, also one that is about to
    ///   be made.
    private func close(_ number: UInt64? = nil, loss: PlaybackError?) {
        let (session, polling, work) = content.withLock { content in
            guard number == nil || number == content.session?.number else {
                return (Session?.none, Task<Void, Never>?.none, Task<Result<Void, PlaybackError>, Never>?.none)
            }
            defer { (content.session, content.polling) = (nil, nil) }
            if number == nil { content.departures += 1 }
            content.loss = loss
            return (content.session, content.polling, content.work)
        }
        polling?.cancel()
        work?.cancel()
        session?.feed.finish()
    }
}

extension PlaybackError {
    static let left = PlaybackError(.cancelled, "the caller left before its command was taken")
}
