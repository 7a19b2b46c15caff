internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// Playback on the engine of this device and on any number of second screens.
///
/// The engine and the screens need no knowledge of each other.
///
/// ```swift
/// let playback = Playback(engine: engine)
/// playback.add(lounge)
/// playback.add(kitchen, receiving: [.play, .stop])
/// try await playback.perform(.load(film, at: .zero, playing: true))
/// try await playback.transfer(to: television)
/// ```
///
/// An added screen follows: it gets the commands for items that are played elsewhere. A screen that
/// the session is transferred to plays instead of the engine, which is paused. If that screen
/// disappears, the session returns to the engine with its item and position. The state then has the
/// reason.
///
/// The latest command wins. Pending commands that later ones make redundant are not sent, and a
/// transfer supersedes the one before.
///
/// Nothing outlives this object. When it is deallocated, the engine and the screens continue to
/// play as they are. ``close()`` also closes the connections, and waits for that.
public final class Playback: Sendable {
    struct Running: Sendable {
        // Invariant when the lock is free: each step, reader and wake-up that the machine knows has
        // its tasks here. No other task changes the machine.
        var machine: PlaybackMachine
        /// The running steps, each with its task and the task of its timeout.
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

    /// Creates a playback with an engine.
    ///
    /// - Parameters:
    ///   - engine: the player of this device.
    ///   - timeout: the limit for connecting and for each command, on the engine and on screens. A
    ///     step that exceeds it fails with `timedOut`.
    ///   - clock: measures the timeout, and the position of an item between two reports.
    ///   - executor: runs the tasks that command and read players; nil for the global executor. It
    ///     must not run a job inside of `enqueue`: jobs start under a lock that they acquire.
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
            // The tasks hold this object weakly, but their waits would go on without it.
            let steps = running.steps.values.flatMap(\.self)
            for task in steps + running.readers.values + running.wakers.values { task.cancel() }
        }
    }

    /// Closes all connections, and returns when no task of this object is running.
    ///
    /// It does so even if the caller is cancelled. A second call waits for the same.
    ///
    /// The engine and the screens continue to play: call `perform(.stop)` before to end that.
    /// Pending and later commands and transfers throw `closed`, and ``states()`` ends.
    ///
    /// A screen has the timeout to disconnect, and then its task is cancelled. A ``Player`` has to
    /// return when it is cancelled. One that does not delays this call until it returns, perhaps
    /// forever.
    public func close() async {
        change { $0.close() }
        await tasks.wait()
        feed.finish()
    }

    // MARK: What is played

    /// Sends a command to the player with the session, and to followers.
    ///
    /// It returns when the player with the session has accepted the command. It does not wait for
    /// followers.
    ///
    /// - Throws: the error of that player, and:
    ///   - `refused` if there is no item to act on
    ///   - `cancelled` if a later command has superseded this one before it was sent
    ///   - `cancelled` if the caller is cancelled; the command continues
    ///   - `closed` after ``close()``
    ///   - during a transfer, the error of the player that the session leaves, if that player may
    ///     play on. The session then arrives paused, so a command to play fails.
    public func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        try await answer(Ticket(command)) { $0.perform(command, $1) }
    }

    /// Transfers the session with its item and position to a screen.
    ///
    /// The session continues where it is until the screen is connected.
    ///
    /// - Throws:
    ///   - the error of the screen. The session then continues at the engine, or where it was if it
    ///     had not left yet.
    ///   - the error of the player that the session leaves, if that player may play on. The session
    ///     arrives paused, so that no two players play.
    ///   - `cancelled` if a later transfer has superseded this one, or the caller is cancelled
    ///   - `closed` after ``close()``
    public func transfer(to screen: any Screen) async throws(PlaybackError) {
        try await answer { $0.transfer(to: screen, $1) }
    }

    /// Transfers the session back to the engine. It also ends a running transfer.
    public func transferBack() async throws(PlaybackError) {
        try await answer { $0.transfer(to: nil, $1) }
    }

    // MARK: Screens that follow

    /// Connects a screen as a follower, which shows items played elsewhere.
    ///
    /// It starts with the current item.
    ///
    /// - A screen that was added before gets these kinds of commands from now on, and is connected
    ///   again if it was lost.
    /// - A screen that was discovered again, with the same id at another address, replaces the
    ///   earlier instance. An existing connection continues, and the next one uses the new
    ///   instance.
    /// - A screen that could not be connected, or was lost, is tried again with the next item.
    /// - A screen that gets the session does not follow meanwhile. After the session has left, it
    ///   follows from the next item on.
    ///
    /// - Parameter kinds: the kinds of commands that it gets. Each screen gets the item, and plays
    ///   it only with the kind `play`.
    public func add(_ screen: any Screen, receiving kinds: PlaybackCommand.Kinds = .all) {
        change { $0.add(screen, receiving: kinds) }
    }

    /// Stops a follower if it gets such commands, and closes its connection.
    ///
    /// A screen that has the session keeps it.
    public func remove(_ screen: any Screen) {
        change { $0.remove(.screen(id: screen.id)) }
    }

    // MARK: State

    /// The current state, with the position at this moment.
    public var state: SessionState {
        running.withLock { running in
            running.machine.now = now
            return running.machine.session
        }
    }

    /// Returns the current state, then each change, for any number of readers.
    ///
    /// A slow reader skips states, but always gets the last one. The stream ends with ``close()``
    /// and when this object is deallocated.
    public func states() -> AsyncStream<SessionState> { feed.states() }

    private var now: Duration { .zero - beginning.remaining() }

    private func answer(
        _ ticket: Ticket = Ticket(), _ body: (inout PlaybackMachine, Ticket) -> Void
    ) async throws(PlaybackError) {
        guard !Task.isCancelled else {
            throw PlaybackError(.cancelled, "the calling task was cancelled before its command")
        }
        change { body(&$0, ticket) }
        try await ticket.wait()
    }

    /// Reports an event to the state machine, and starts the actions that it returns.
    func change(_ body: (inout PlaybackMachine) -> Void) {
        let ending = running.withLock { running in
            running.machine.now = now
            body(&running.machine)
            // One critical section for event and actions: a second event in between could start the
            // step of a device twice.
            let ending = start(running.machine.proceed(), &running)
            // Under the lock, so that observers get the states in the order of the events.
            feed.update(running.machine.session)
            return ending
        }
        // Outside of the lock: cancellation handlers and resumed callers may acquire it.
        for task in ending.tasks { task.cancel() }
        for (tickets, outcome) in ending.settled { for ticket in tickets { ticket.settle(outcome) } }
    }
}
