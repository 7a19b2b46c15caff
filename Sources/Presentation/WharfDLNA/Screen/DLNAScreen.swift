internal import Synchronization
public import WharfCore
public import WharfPlayback
internal import WharfPrimitives

/// A UPnP renderer with AVTransport, such as most televisions and network speakers.
///
/// ```swift
/// let screen = try await DLNAScreen.at("http://192.168.0.20:49152/description.xml", transport: transport)
/// try await screen.connect()
/// try await screen.perform(.load(film, at: .seconds(600), playing: true))
/// ```
///
/// The screen polls the renderer's state (``DLNATiming``), because GENA events would need a server
/// in the app. Renderers can seek only while they play. So a load at a position plays briefly from
/// the start, even if the item is to be paused. A renderer fetches items itself: it cannot reach
/// `localhost` or addresses of other networks.
public final class DLNAScreen: Screen {
    /// The objects that exist during a connection.
    struct Session: Sendable {
        let number: UInt64
        let transport: AVTransport
        let feed: StateFeed<PlaybackState>
    }

    private struct Content {
        // Invariants when the lock is free:
        // - `session` and `polling` are both set or both nil.
        // - `number` is that of the last session, so late work of an earlier one changes nothing.
        // - `work` is set only while its caller holds `mutex`.
        var playback: RenderedPlayback
        var session: Session?
        var polling: Task<Void, Never>?
        var loss: PlaybackError?
        /// The number of the current connection. Work of an earlier connection compares it before
        /// it changes state.
        var number: UInt64 = 0
        /// The number of calls of `disconnect()`, which also ends a connection attempt.
        var departures: UInt64 = 0
        var misses = 0
        /// The connect or the command that is running.
        var work: Task<Result<Void, PlaybackError>, Never>?
    }

    public let id: String
    public let name: String
    let timing: DLNATiming
    let clock: any Clock<Duration>
    let location: String
    private let exchange: DeviceExchange
    private let content: Mutex<Content>
    /// Serialises commands and polls.
    ///
    /// So no poll result is older than an earlier command.
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

    /// Returns the renderer that describes itself at an address, without a search.
    ///
    /// - Parameters:
    ///   - location: the URL of its description, such as
    ///     `http://192.168.0.20:49152/description.xml`.
    ///   - transport: sends all requests to the renderer.
    ///   - timing: the intervals and limits.
    ///   - clock: measures all times except those of single answers, which the transport measures.
    /// - Throws: `disconnected` or `timedOut` if it cannot be reached; `malformed` or `refused` if
    ///   the address does not belong to a renderer.
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
            // Asked in turn: an earlier caller may have connected while this one waited.
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
            // Read in turn, as the connection may have ended during the wait.
            let (session, departures) = content.withLock { ($0.session, $0.departures) }
            guard let session else { throw notConnected }
            do throws(PlaybackError) {
                try await work(unlessAfter: departures) { () throws(PlaybackError) in
                    try await RendererCommands(screen: self, session: session).carry(out: command)
                }
            } catch {
                if Task.isCancelled { throw .left }
                throw content.withLock { $0.session?.number == session.number } ? error : notConnected
            }
        }
    }

    /// Runs the body after all earlier commands and polls.
    ///
    /// - Throws: `cancelled` if the task is cancelled while it waits.
    private func inTurn(_ body: () async throws(PlaybackError) -> Void) async throws(PlaybackError) {
        let hasRun: Void? = try await mutex.withLockUnlessCancelled(body)
        if hasRun == nil { throw .left }
    }

    private var notConnected: PlaybackError {
        PlaybackError(
            .disconnected, "\(name) is not connected; connect it first", cause: loss)
    }

    private var wasLetGo: PlaybackError {
        PlaybackError(.cancelled, "\(name) was disconnected before its connection was complete")
    }

    /// Runs the body in a task of its own, which `disconnect()` cancels. The caller holds the
    /// mutex.
    private func work(
        unlessAfter departures: UInt64, _ body: @escaping @Sendable () async throws(PlaybackError) -> Void
    ) async throws(PlaybackError) {
        let task = content.withLock { content -> Task<Result<Void, PlaybackError>, Never>? in
            // Check and assignment together: a `disconnect()` before is seen here, and one after
            // finds `work`.
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
    /// The known playback.
    var playback: RenderedPlayback { content.withLock { $0.playback } }

    /// Changes the known playback, and broadcasts it during the connection.
    ///
    /// The known playback outlives a connection.
    func update(_ session: Session, _ change: (inout RenderedPlayback) -> Void) {
        content.withLock { content in
            guard content.number == session.number else { return }
            change(&content.playback)
            session.feed.update(content.playback.state)
        }
    }

    /// Polls the device, and broadcasts the result.
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
                "expected \(name) (\(id)) at \(RedactedURL.text(location)), found \(description.name) (\(description.id)); search again"
            )
        }
        let transport = AVTransport(service: description.transport, exchange: exchange)
        let reading = try await transport.reading(withPosition: true)
        let isOpen = content.withLock { content in
            // `disconnect()` during the requests above ends this attempt. Without the check it
            // would connect afterwards.
            guard content.departures == departures else { return false }
            content.number += 1
            content.misses = 0
            content.loss = nil
            content.playback.reconnect()
            content.playback.observe(reading)
            let session = Session(number: content.number, transport: transport, feed: StateFeed(content.playback.state))
            content.session = session
            content.polling = Task { [weak self, clock, timing] in
                // The screen is held only during a poll, so that an abandoned one is released.
                while await Self.pause(clock, timing.interval), let self {
                    guard await self.poll(session) else { return }
                }
            }
            return true
        }
        guard isOpen else { throw wasLetGo }
    }

    /// - Returns: false if the task was cancelled.
    private static func pause(_ clock: any Clock<Duration>, _ duration: Duration) async -> Bool {
        do {
            try await clock.sleep(for: duration)
            return true
        } catch {
            return false
        }
    }

    /// - Returns: whether to continue polling.
    private func poll(_ session: Session) async -> Bool {
        do throws(PlaybackError) {
            try await inTurn { () throws(PlaybackError) in _ = try await look(session) }
            return true
        } catch {
            if Task.isCancelled { return false }
            // A refusal is an answer, so it does not count as a miss.
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
                    "\(name) answered none of \(max(timing.misses, 1)) polls; check that it is on",
                    cause: error))
            return false
        }
    }

    /// - Parameter number: the connection to close; nil for any, including one that is being made.
    private func close(_ number: UInt64? = nil, loss: PlaybackError?) {
        let (session, polling, work) = content.withLock { content in
            // A poll of an earlier connection must not close the present one.
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
    static let left = PlaybackError(.cancelled, "the calling task was cancelled before its command ran")
}
