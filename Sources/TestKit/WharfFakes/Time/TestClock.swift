public import WharfCore
internal import WharfPrimitives

/// A clock that stands still until the test moves it.
///
/// It gives both kinds of time: pauses (`Clock`) and the time of day (``wall``).
public final class TestClock: Clock, Sendable {
    /// A time of a test clock.
    public struct Instant: InstantProtocol {
        /// The duration since the creation of the clock.
        public var offset: Duration

        /// Creates an instant.
        public init(offset: Duration) { self.offset = offset }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now: Instant
        /// The deadlines of the sleeping tasks.
        var sleepers: [WaitTicket: Instant] = [:]
    }

    // Between calls each sleeper's deadline is later than every `now` since it fell asleep. A
    // ticket leaves `sleepers` exactly once: by `move` or by its own cancellation.
    private let monitor = Monitor(State(now: Instant(offset: .zero)))
    private let start: WallTime

    /// Creates a clock.
    ///
    /// - Parameter start: the time of day before the clock is moved.
    public init(start: WallTime = WallTime(secondsSince1970: 1_000_000_000)) {
        self.start = start
    }

    public var now: Instant { monitor.read { $0.now } }
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The time of day of this clock.
    public var wall: some WallClock { Wall(clock: self) }

    private struct Wall: WallClock {
        let clock: TestClock
        func now() -> WallTime { clock.start + clock.now.offset }
    }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let ticket = try monitor.withLock { state, effects throws(CancellationError) -> WaitTicket? in
            // A task that is cancelled before this point must not appear as a sleeper, or
            // `untilSleeping` would count it.
            if Task.isCancelled { throw CancellationError() }
            // Compared and registered in one step. A move in between would wake the sleepers, and
            // not find this one.
            if deadline <= state.now { return nil }
            let ticket = effects.reserveUnqueued()
            state.sleepers[ticket] = deadline
            return ticket
        }
        guard let ticket else { return }
        let hasSlept = await monitor.waitUnlessCancelled(for: ticket) { state, _ in state.sleepers[ticket] = nil }
        if !hasSlept { throw CancellationError() }
    }

    /// Moves both kinds of time and wakes the tasks that are due, in order of deadline.
    ///
    /// A negative duration moves the time back and wakes no task.
    public func advance(by duration: Duration) { move { $0.advanced(by: duration) } }

    /// Moves both kinds of time to an instant, such as ``nextDeadline``.
    ///
    /// An instant in the past changes nothing.
    public func advance(to instant: Instant) { move { max($0, instant) } }

    /// Moves both kinds of time to a time of day. A time in the past changes nothing.
    public func advance(to time: WallTime) { advance(to: Instant(offset: time - start)) }

    /// The earliest deadline of the sleeping tasks; nil if no task sleeps.
    public var nextDeadline: Instant? { monitor.read { $0.sleepers.values.min() } }

    private func move(_ change: (Instant) -> Instant) {
        monitor.withLock { state, effects in
            state.now = change(state.now)
            let due = state.sleepers.filter { $0.value <= state.now }.sorted { $0.value < $1.value }
            for (ticket, _) in due {
                state.sleepers[ticket] = nil
                effects.resume(ticket)
            }
        }
    }

    /// The number of tasks that sleep on this clock.
    public var sleepers: Int { monitor.read { $0.sleepers.count } }

    /// Waits until at least `count` tasks sleep on this clock.
    public func untilSleeping(_ count: Int = 1) async { await monitor.wait { $0.sleepers.count >= count } }
}
