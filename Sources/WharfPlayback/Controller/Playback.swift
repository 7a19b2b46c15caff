internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// Plays by the engine of this device and by any number of second screens, which know nothing of
/// each other.
///
/// ```swift
/// let playback = Playback(engine: engine)
/// playback.add(lounge)
/// playback.add(kitchen, receiving: [.play, .stop])
/// try await playback.perform(.load(film, at: .zero, playing: true))
/// try await playback.transfer(to: television)
/// ```
///
/// A screen that is added follows: it is told what is played elsewhere. A screen to which the
/// session is transferred plays in place of the engine, which rests. Where it disappears, the
/// session comes back to the engine, with item and position, and the state says why.
///
/// The latest counts: of commands that wait for a player only those are sent that still matter, and
/// a transfer overtakes the one before. Nothing is kept beyond the life of this object. Its end
/// leaves what engine and screens play as it is; ``close()`` also lets go of the connections, and
/// waits for that.
public final class Playback: Sendable {
    struct Running: Sendable {
        var machine: PlaybackMachine
        /// What is on its way, with what ends it when it takes too long.
        var steps: [Int: [Task<Void, Never>]] = [:]
        var readers: [Int: Task<Void, Never>] = [:]
        var wakers: [Int: Task<Void, Never>] = [:]
    }

    let running: Mutex<Running>
    let timeout: Duration
    let clock: any Clock<Duration>
    let executor: (any TaskExecutor)?
    let tasks = WaitGroup()
    private let feed = StateFeed(SessionState())
    private let beginning: Deadline

    /// - Parameters:
    ///   - timeout: what the engine or a screen takes longer for, be it to connect or to take a
    ///     command, has failed as `timedOut`.
    ///   - clock: measures it, and tells where an item is between two reports.
    ///   - executor: where screens are told and heard; nil for the global one. It must not run a
    ///     job inside of `enqueue`: jobs are begun under a lock that they take.
    public init(
        engine: any Player, timeout: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil
    ) {
        self.timeout = timeout
        self.clock = clock
        self.executor = executor
        beginning = Deadline(after: .zero, on: clock)
        running = Mutex(Running(machine: PlaybackMachine(engine: engine)))
        change { _ in }
    }

    deinit {
        running.withLock { running in
            let steps = running.steps.values.flatMap(\.self)
            for task in steps + running.readers.values + running.wakers.values { task.cancel() }
        }
    }

    /// Lets go of all connections, and returns when nothing of this object is at work any more,
    /// also where the caller is cancelled. Once is enough; who calls again waits for the same.
    ///
    /// What engine and screens play goes on: `perform(.stop)` before ends it. Who waits for a
    /// command or a transfer, and who asks for one afterwards, gets `closed`, and ``states()``
    /// ends. A screen has the timeout to let itself be disconnected; then its task is cancelled.
    /// One that goes on when it is cancelled, as no ``Player`` may, holds this up until it returns,
    /// be it for ever.
    public func close() async {
        change { $0.close() }
        await tasks.wait()
        feed.finish()
    }

    // MARK: What is played

    /// Tells whoever has the session, and the screens that follow.
    ///
    /// Returns when the one that has the session has taken it. Followers are not waited for.
    ///
    /// - Throws: what that player throws; `refused` where there is no item to do it to; `cancelled`
    ///   where a later command has taken its place before it was sent, or the caller was cancelled:
    ///   what it asked for then goes on; `closed` after ``close()``. What is to play while the
    ///   session is on its way, and arrives paused because the player that it leaves may play on,
    ///   throws what that player threw.
    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        try await answer(Ticket(command)) { $0.perform(command, $1) }
    }

    /// Brings the session to a screen: from the engine or from another screen, with item and
    /// position. Until the screen is connected the session goes on where it is.
    ///
    /// - Throws: what the screen throws, and the session goes on at the engine, or where it was if
    ///   it had not left yet; what the player throws that is to rest and may play on, and the
    ///   session arrives, but paused, so that no two play; `cancelled` where a later transfer has
    ///   taken its place, or the caller was cancelled; `closed` after ``close()``.
    public func transfer(to screen: any Screen) async throws(PlaybackError) {
        try await answer { $0.transfer(to: screen, $1) }
    }

    /// Brings the session back to the engine. It also ends a transfer that is under way.
    public func transferBack() async throws(PlaybackError) {
        try await answer { $0.transfer(to: nil, $1) }
    }

    // MARK: Screens that follow

    /// Connects a screen, and tells it from now on what is played, beginning with what there is.
    /// One that was added before is told other commands from now on, and is connected again if it
    /// was lost. One that was found again, at another address and with the same id, takes the place
    /// of the one before: a connection that there is goes on, and the next one is made to it.
    ///
    /// A screen that could not be connected, or was lost, is tried again with the next item. One to
    /// which the session is transferred does not follow meanwhile, and afterwards from the next
    /// item on.
    ///
    /// - Parameter kinds: which commands it is told. The item is told to each; it plays only where
    ///   `play` is told.
    public func add(_ screen: any Screen, receiving kinds: PlaybackCommand.Kinds = .all) {
        change { $0.add(screen, receiving: kinds) }
    }

    /// Tells the screen to stop, if it is told such things, and lets go of it. A session that it
    /// has stays there.
    public func remove(_ screen: any Screen) {
        change { $0.remove(.screen(id: screen.id)) }
    }

    // MARK: State

    /// The state now, with the position of this moment.
    public var state: SessionState {
        running.withLock { running in
            running.machine.now = now
            return running.machine.session
        }
    }

    /// The state now, then each change, for any number of readers. Who reads slowly misses states
    /// in between and never the last one. It ends with ``close()``, and with the life of this
    /// object.
    public func states() -> AsyncStream<SessionState> { feed.states() }

    private var now: Duration { .zero - beginning.remaining() }

    private func answer(
        _ ticket: Ticket = Ticket(), _ body: (inout PlaybackMachine, Ticket) -> Void
    ) async throws(PlaybackError) {
        guard !Task.isCancelled else { throw PlaybackError(.cancelled, "the caller was cancelled before it began") }
        change { body(&$0, ticket) }
        try await ticket.wait()
    }

    /// Tells the machine what has happened, and does what it says.
    func change(_ body: (inout PlaybackMachine) -> Void) {
        let ending = running.withLock { running in
            running.machine.now = now
            body(&running.machine)
            let ending = start(running.machine.proceed(), &running)
            feed.update(running.machine.session)
            return ending
        }
        // Not under the lock, which whoever is woken or cancelled may want.
        for task in ending.tasks { task.cancel() }
        for (tickets, outcome) in ending.settled { for ticket in tickets { ticket.settle(outcome) } }
    }
}
