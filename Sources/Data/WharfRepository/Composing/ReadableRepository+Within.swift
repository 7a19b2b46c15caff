public import WharfCore

extension ReadableRepository {
    /// Returns a repository that gives the kept value if no answer comes in time.
    ///
    /// Such a snapshot has the error `timedOut`. Use it for a reader that can't wait.
    ///
    /// ```swift
    /// let row = recommendations.within(.seconds(1)).orElse(popular, named: "popular")
    /// ```
    ///
    /// The answer is waited for all the same, so that the repository keeps it for the next read.
    /// The snapshot's `fetch` is `.refreshing`. One late read of each question goes on, however
    /// often it is asked. The source decides how long that lasts: give it a timeout of its own.
    ///
    /// An observer is told `timedOut` once if the first refresh is late, and the late answer when
    /// it comes.
    ///
    /// The kept value is not given in two cases: the read names
    /// ``WharfCore/ReadPolicy/networkOnly``, or the value is stale and came with `must-revalidate`
    /// (RFC 9111 §5.2.2.2).
    ///
    /// - Parameters:
    ///   - timeout: the time from the call to the answer.
    ///   - clock: tells fresh from stale.
    ///   - timer: measures the timeout.
    ///   - executor: runs late reads, and the tasks that follow this repository for observers; nil
    ///     for the global one.
    public func within(
        _ timeout: Duration, clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil
    ) -> some ReadableRepository<Model> {
        DeadlineRepository(base: self, timeout: timeout, clock: clock, timer: timer, executor: executor)
    }
}
