/// A fixed point in time on a clock.
package struct Deadline: Sendable {
    /// The duration from the start to the deadline.
    package let timeout: Duration
    /// Waits until the deadline. It throws `CancellationError` if the task is cancelled.
    package let wait: @Sendable () async throws -> Void
    /// The time that is left; zero or less after the deadline.
    package let remaining: @Sendable () -> Duration
    private let sameStart: @Sendable (Duration) -> Deadline

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
        let instant = start.advanced(by: timeout)
        return Deadline(
            timeout, { try await clock.sleep(until: instant, tolerance: nil) }, { clock.now.duration(to: instant) },
            { make($0, clock, from: start) })
    }
}
