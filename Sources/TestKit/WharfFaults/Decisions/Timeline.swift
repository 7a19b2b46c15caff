/// A clock that starts at zero when it is created.
package struct Timeline: Sendable {
    package let now: @Sendable () -> Duration
    /// Sleeps until that time; throws `CancellationError`.
    package let sleep: @Sendable (_ until: Duration) async throws -> Void

    package init(_ clock: any Clock<Duration>) { self = Self.make(clock) }

    private init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    private static func make<C: Clock<Duration>>(_ clock: C) -> Timeline {
        let start = clock.now
        return Timeline(
            now: { start.duration(to: clock.now) },
            sleep: { time in try await clock.sleep(until: start.advanced(by: time), tolerance: nil) })
    }
}
