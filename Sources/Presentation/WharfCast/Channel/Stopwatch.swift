/// The elapsed time since its creation, and sleeping, on one clock.
struct Stopwatch: Sendable {
    let elapsed: @Sendable () -> Duration
    /// Sleeps until an elapsed time. Throws `CancellationError`.
    let sleep: @Sendable (_ until: Duration) async throws -> Void

    init(_ clock: any Clock<Duration>) { self = Self.make(clock) }

    private init(
        _ elapsed: @escaping @Sendable () -> Duration, _ sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.sleep = sleep
    }

    private static func make<C: Clock<Duration>>(_ clock: C) -> Stopwatch {
        let start = clock.now
        return Stopwatch(
            { start.duration(to: clock.now) },
            { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
    }
}
