internal import Synchronization
public import WharfCore
public import WharfPlayback
internal import WharfPrimitives

/// The other end of a ``NetworkScreen``: what a television or another device does with what it is
/// sent, and what it answers.
///
/// It is a handler of requests in the shape of a `Transport`: put it behind any HTTP server, which
/// gives it each request and sends its answer on. It has one sender at a time, the latest: a
/// session that is opened ends the one before, and cancels the command of that one which the player
/// is still at.
///
/// ```swift
/// let receiver = ScreenReceiver(player: engine)
/// server.forward(to: "http", "receiver", by: receiver)
/// ```
public final class ScreenReceiver: Transport {
    let heartbeat: Duration
    let retry: Duration
    let clock: any Clock<Duration>
    /// Nil for a receiver that everybody may use who reaches it.
    let pairing: ScreenPairing?
    let session = Mutex(ReceiverSession())
    private let player: any Player
    let wallClock: any WallClock
    private let random: SharedRandom
    private let reader = Mutex<(generation: Int, task: Task<Void, Never>)?>(nil)

    /// - Parameters:
    ///   - player: does what is sent.
    ///   - pairing: authenticates controllers; nil to answer everyone. ``ScreenServer`` binds an
    ///     address of the network only with one.
    ///   - heartbeat: after how long a sender that was told nothing is told that the receiver is
    ///     there.
    ///   - retry: what a sender is asked to wait before it comes again.
    ///   - clock: measures them.
    ///   - wallClock: stamps the answers.
    ///   - random: for the ids of sessions. Whoever knows one gives commands, so it has to be one
    ///     whose numbers can't be foretold.
    public init(
        player: any Player, pairing: ScreenPairing? = nil, heartbeat: Duration = .seconds(5),
        retry: Duration = .milliseconds(500),
        clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = .system,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        (self.player, self.pairing, self.heartbeat, self.retry) = (player, pairing, heartbeat, retry)
        (self.clock, self.wallClock, self.random) = (clock, wallClock, SharedRandom(random))
        read(player.states(), 0)
    }

    deinit {
        reader.withLock { $0?.task.cancel() }
        close()
    }

    /// Reads a stream of the player in place of the one before.
    private func read(_ states: AsyncStream<PlaybackState>, _ generation: Int) {
        let task = Task { [weak self] in
            for await state in states { self?.session.withLock { $0.reported(state, generation: generation) } }
            // The player has gone for good.
            if !Task.isCancelled { self?.session.withLock { $0.desert() }?.tell() }
        }
        let older = reader.withLock { reader -> Task<Void, Never>? in
            let before = reader
            if let before, before.generation > generation { return task }
            reader = (generation, task)
            return before?.task
        }
        older?.cancel()
    }

    /// Ends the session, and tells its sender.
    public func close() { session.withLock { $0.close(.switchedOff) }?.tell() }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard !Task.isCancelled else { throw .cancelled }
        return try await answer(to: request)
    }

    // MARK: What is asked for

    func open() async throws(TransportError) -> TransportResponse {
        // The player's first word may be on its way still, and a sender begins with the state of
        // now.
        if session.withLock({ $0.state }) == nil {
            let states = player.states()
            if let state = await states.first, let generation = session.withLock({ $0.began(with: state) }) {
                read(states, generation)
            }
            // Who has left ends nobody's session.
            if Task.isCancelled { throw .cancelled }
        }
        let id = random.id()
        let (isDeserted, before) = session.withLock { session in
            (session.isDeserted, session.isDeserted ? nil : session.open(as: id))
        }
        before?.tell()
        if isDeserted {
            let error = PlaybackError(.disconnected, "the player of this screen has gone for good")
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
                .refused, "\(ReceiverSession.queueLimit) commands wait for the player already; come again in a second")
            return answer(.serviceUnavailable, ScreenMessage.Failure(error), fields: [.retryAfter: "1"])
        case .wait(let command):
            proceed()
            switch try await command.answer() {
            case .done(let outcome): return answer(outcome)
            case .over(let end): return over(end)
            }
        }
    }

    /// Gives the player the next command, where it has none. They are done in the order in which
    /// they came, also where the one who sent them has left.
    private func proceed() {
        session.withLock { session in
            guard let command = session.next() else { return }
            command.begin(
                Task { [weak self, player] in
                    let outcome: Result<Void, PlaybackError>
                    do throws(PlaybackError) { outcome = .success(try await player.perform(command.command)) } catch {
                        outcome = .failure(error)
                    }
                    // A stream of before may have in hand what was so before: what counts from now
                    // on is one of after the command.
                    let states = player.states()
                    let state = await states.first
                    guard let self else { return }
                    let (answer, generation) = self.session.withLock { session in
                        (session.finished(command, outcome, state), session.generation)
                    }
                    if state != nil { read(states, generation) }
                    command.settle(.done(answer))
                    proceed()
                })
        }
    }
}

extension AsyncStream where Element: Sendable {
    /// What it says first, and who reads it afterwards goes on from there; nil where it ends
    /// before.
    fileprivate var first: Element? {
        get async {
            var elements = makeAsyncIterator()
            let first = await elements.next(isolation: nil)
            // Who is cancelled meanwhile has ended it, also where it has said something.
            return Task.isCancelled ? nil : first
        }
    }
}
