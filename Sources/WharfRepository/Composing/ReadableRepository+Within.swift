public import WharfCore

extension ReadableRepository {
    /// The same models for who can't wait: where no answer comes in time, what is kept stands
    /// beside the error `timedOut`.
    ///
    /// ```swift
    /// let row = recommendations.within(.seconds(1)).orElse(popular, named: "popular")
    /// ```
    ///
    /// The answer is waited for all the same, so that the repository keeps it for the next read:
    /// the snapshot's `fetch` is `.refreshing`. One late read of each question goes on, however
    /// often it is asked. For how long is up to the source: give it a timeout of its own.
    ///
    /// Who observes is told `timedOut` once, where the first refresh is late, and the late answer
    /// when it comes.
    ///
    /// What is kept does not stand in where the read names ``WharfCore/ReadPolicy/networkOnly``,
    /// nor when it is stale and came with `must-revalidate` (RFC 9111 §5.2.2.2).
    ///
    /// - Parameters:
    ///   - timeout: from the call to the answer.
    ///   - clock: tells fresh from stale.
    ///   - timer: measures the timeout.
    ///   - executor: where late reads go on, and what follows this repository for observers; nil
    ///     for the global one.
    public func within(
        _ timeout: Duration, clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil
    ) -> some ReadableRepository<Model> {
        DeadlineRepository(base: self, timeout: timeout, clock: clock, timer: timer, executor: executor)
    }
}
