internal import Synchronization
public import WharfCore
public import WharfPlayback
internal import WharfPrimitives

/// The receiving end of a ``NetworkScreen``, for a television or another device.
///
/// It handles requests in the shape of a `Transport`. Put it behind any HTTP server that passes
/// requests to it and sends its answers.
///
/// It has one sender at a time, the latest. Opening a session ends the one before, and cancels that
/// session's running command.
///
/// ```swift
/// let receiver = ScreenReceiver(player: engine)
/// server.forward(to: "http", "receiver", by: receiver)
/// ```
public final class ScreenReceiver: Transport {
    let heartbeat: Duration
    let retry: Duration
    let clock: any Clock<Duration>
    /// The pairing that authenticates requests; nil if every sender is allowed.
    let pairing: ScreenPairing?
    let session = Mutex(ReceiverSession())
    private let player: any Player
    let wallClock: any WallClock
    private let random: SharedRandom
    private let reader = Mutex<(generation: Int, task: Task<Void, Never>)?>(nil)

    /// The settings of a receiver: heartbeat, clocks and session ids.
    public struct Configuration: Sendable {
        /// The time without a state after which a sender gets a heartbeat.
        public var heartbeat: Duration
        /// The delay that a sender is asked to wait before it reconnects.
        public var retry: Duration
        /// The clock of both.
        public var clock: any Clock<Duration>
        /// The clock of the time in the provenance of answers.
        public var wallClock: any WallClock
        /// The generator of session ids.
        ///
        /// A caller that knows an id can send commands, so the generator has to be
        /// cryptographically secure.
        public var random: any RandomNumberGenerator & Sendable

        /// Creates a configuration.
        public init(
            heartbeat: Duration = .seconds(5), retry: Duration = .milliseconds(500),
            clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system,
            random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
        ) {
            self.heartbeat = heartbeat
            self.retry = retry
            self.clock = clock
            self.wallClock = wallClock
            self.random = random
        }
    }

    /// Creates a receiver, and starts reading the player's states.
    ///
    /// - Parameters:
    ///   - player: carries out the commands.
    ///   - pairing: authenticates controllers; nil to answer every sender. Without a pairing
    ///     ``ScreenServer`` binds only loopback addresses.
    public init(
        player: any Player, pairing: ScreenPairing? = nil, configuration: Configuration = Configuration()
    ) {
        (self.player, self.pairing) = (player, pairing)
        (heartbeat, retry) = (configuration.heartbeat, configuration.retry)
        (clock, wallClock) = (configuration.clock, configuration.wallClock)
        random = SharedRandom(configuration.random)
        read(player.states(), 0)
    }

    deinit {
        reader.withLock { $0?.task.cancel() }
        close()
    }

    /// Reads a stream of the player in place of the stream before.
    private func read(_ states: AsyncStream<PlaybackState>, _ generation: Int) {
        let task = Task { [weak self] in
            for await state in states { self?.session.withLock { $0.reported(state, generation: generation) } }
            // The player's states have ended for good.
            if !Task.isCancelled { self?.session.withLock { $0.abandon() }?.tell() }
        }
        let older = reader.withLock { reader -> Task<Void, Never>? in
            let before = reader
            // Two commands may open streams at once. The newer stream stays, and this reader is
            // cancelled.
            if let before, before.generation > generation { return task }
            reader = (generation, task)
            return before?.task
        }
        older?.cancel()
    }

    /// Ends the session, and notifies its sender.
    public func close() { session.withLock { $0.close(.switchedOff) }?.tell() }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !Task.isCancelled else { throw .cancelled }
        return try await answer(to: request)
    }

    // MARK: What is asked for

    func open() async throws(TransportError) -> TransportResponse {
        // The player's first state may not have arrived yet, and a session starts with the current
        // state.
        if session.withLock({ $0.state }) == nil {
            let states = player.states()
            if let state = await states.first, let generation = session.withLock({ $0.began(with: state) }) {
                read(states, generation)
            }
            // A cancelled request must not end another sender's session.
            if Task.isCancelled { throw .cancelled }
        }
        let id = random.id()
        // One critical section: a player that ends in between would leave a session without a
        // player.
        let (isDeserted, before) = session.withLock { session in
            (session.isDeserted, session.isDeserted ? nil : session.open(as: id))
        }
        // Outside of the lock: it resumes callers of the session before.
        before?.tell()
        if isDeserted {
            let error = PlaybackError(
                .disconnected, "the player of this screen has ended; open a session with another screen")
            return answer(.serviceUnavailable, ScreenMessage.Failure(error))
        }
        return answer(.created, ScreenMessage.Session(session: id))
    }

    func letGo(of id: String) -> TransportResponse {
        let (end, ended) = session.withLock { session in
            let end = session.end(of: id)
            return (end, end == nil ? session.close(.letGo) : nil)
        }
        ended?.tell()
        return end.map(over) ?? answer(.noContent)
    }

    func perform(_ message: ScreenMessage.Command, of id: String) async throws(TransportError) -> TransportResponse {
        let decision = session.withLock { $0.decide(message, of: id) }
        switch decision {
        case .over(let end): return over(end)
        case .late(let error): return answer(.conflict, ScreenMessage.Failure(error))
        case .answered(let outcome): return answer(outcome)
        case .full:
            let error = PlaybackError(
                .refused, "\(ReceiverSession.queueLimit) commands wait for the player already; try again in a second")
            return answer(.serviceUnavailable, ScreenMessage.Failure(error), fields: [.retryAfter: "1"])
        case .wait(let command):
            proceed()
            switch try await command.answer() {
            case .done(let outcome): return answer(outcome)
            case .over(let end): return over(end)
            }
        }
    }

    /// Gives the player the next command if none is running.
    ///
    /// Commands run in the order of their arrival, even if their sender has disconnected.
    private func proceed() {
        session.withLock { session in
            guard let command = session.next() else { return }
            command.begin(
                Task { [weak self, player] in
                    let outcome: Result<Void, PlaybackError>
                    do throws(PlaybackError) { outcome = .success(try await player.perform(command.command)) } catch {
                        outcome = .failure(error)
                    }
                    // An older stream may still deliver a state from before the command. So only a
                    // stream that was opened after the command counts from now on.
                    let states = player.states()
                    let state = await states.first
                    guard let self else { return }
                    let (answer, generation) = self.session.withLock { session in
                        (session.finished(command, outcome, state), session.generation)
                    }
                    if state != nil { read(states, generation) }
                    // After `finished`, so that a repetition of this command finds the answer and
                    // not an empty queue.
                    command.settle(.done(answer))
                    proceed()
                })
        }
    }
}

extension AsyncStream where Element: Sendable {
    /// The first element; nil if the stream ends before. Later iterations continue after it.
    fileprivate var first: Element? {
        get async {
            var elements = makeAsyncIterator()
            let first = await elements.next(isolation: nil)
            // Cancellation ends the stream, so an element that came with it is not the start of a
            // usable one.
            return Task.isCancelled ? nil : first
        }
    }
}
