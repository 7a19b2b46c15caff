/// A point on some clock, fixed when it is made.
package struct Deadline: Sendable {
    /// What was allowed.
    package let timeout: Duration
    /// Returns once it has come; throws `CancellationError`.
    package let wait: @Sendable () async throws -> Void
    /// What is left of it; zero or less when it has passed.
    package let remaining: @Sendable () -> Duration

    package init(after timeout: Duration, on clock: any Clock<Duration>) {
        self = Self.make(timeout, clock)
    }

    private init(
        _ timeout: Duration, _ wait: @escaping @Sendable () async throws -> Void,
        _ remaining: @escaping @Sendable () -> Duration
    ) {
        self.timeout = timeout
        self.wait = wait
        self.remaining = remaining
    }

    private static func make<C: Clock<Duration>>(_ timeout: Duration, _ clock: C) -> Deadline {
        let instant = clock.now.advanced(by: timeout)
        return Deadline(
            timeout, { try await clock.sleep(until: instant, tolerance: nil) }, { clock.now.duration(to: instant) })
    }
}
