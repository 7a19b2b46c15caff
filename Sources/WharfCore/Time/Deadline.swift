/// A point on some clock, fixed when it is made.
package struct Deadline: Sendable {
    /// What was allowed.
    package let timeout: Duration
    /// Returns once it has come; throws `CancellationError`.
    package let wait: @Sendable () async throws -> Void
    /// What is left of it; zero or less when it has passed.
    package let remaining: @Sendable () -> Duration
    private let sameStart: @Sendable (Duration) -> Deadline

    package init(after timeout: Duration, on clock: any Clock<Duration>) {
        self = Self.make(timeout, clock)
    }

    /// Another deadline, counted from the moment when this one was made.
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
