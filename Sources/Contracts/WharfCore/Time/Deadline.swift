/// A fixed point in time on a clock.
package struct Deadline: Sendable {
    /// The duration from the start to the deadline.
    package let timeout: Duration
    /// Waits until the deadline. It throws `CancellationError` if the task is cancelled.
    package let wait: @Sendable () async throws -> Void
    /// The time that is left; zero or less after the deadline.
    package let remaining: @Sendable () -> Duration
    private let sameStart: @Sendable (Duration) -> Deadline

    /// A longer timeout is treated as this one, of 31 thousand years.
    private static let longest: Duration = .seconds(1_000_000_000_000)

    package init(after timeout: Duration, on clock: any Clock<Duration>) {
        self = Self.make(timeout, clock)
    }

    /// Returns another deadline, counted from the start of this one.
    package func fromSameStart(after timeout: Duration) -> Deadline { sameStart(timeout) }

    private init(
        _ timeout: Duration, _ wait: @escaping @Sendable () async throws -> Void,
        _ remaining: @escaping @Sendable () -> Duration,
        _ sameStart: @escaping @Sendable (Duration) -> Deadline
    ) {
        self.timeout = timeout
        self.wait = wait
        self.remaining = remaining
        self.sameStart = sameStart
    }

    private static func make<C: Clock<Duration>>(_ timeout: Duration, _ clock: C) -> Deadline {
        make(timeout, clock, from: clock.now)
    }

    private static func make<C: Clock<Duration>>(_ timeout: Duration, _ clock: C, from start: C.Instant) -> Deadline {
        // The instant is fixed here. A sleep for a duration would begin only when its task runs.
        // The clocks of the standard library trap while they sleep until an instant that has more
        // seconds than an Int64.
        let instant = start.advanced(by: min(timeout, longest))
        return Deadline(
            timeout, { try await clock.sleep(until: instant, tolerance: nil) }, { clock.now.duration(to: instant) },
            { make($0, clock, from: start) })
    }
}
