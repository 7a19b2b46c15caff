/// How long an object may live on after its test, because a task has yet to end that holds it.
struct GracePeriod: Sendable {
    let duration: Duration
    let clock: any Clock<Duration>

    static let usual = Duration.seconds(1)

    /// - Returns: whether `isOver` came true within the period. Where it is true at once, nothing
    ///   is waited for.
    func passes(until isOver: @escaping @Sendable () -> Bool) async -> Bool {
        if isOver() { return true }
        guard duration > .zero else { return false }
        // A test that ran out of time is cancelled, and its objects have their time all the same.
        return await Task { await poll(by: clock, until: isOver) }.value
    }

    private func poll(by clock: some Clock<Duration>, until isOver: @Sendable () -> Bool) async -> Bool {
        let start = clock.now
        var patience = Patience(duration)
        var yields = 8
        var pause = Duration.milliseconds(1)
        while true {
            if yields > 0 {
                yields -= 1
                await Task.yield()
            } else {
                do {
                    try await clock.sleep(for: pause)
                } catch {
                    // Nobody cancels this task; a clock that refuses to wait is asked for the time
                    // alone.
                    await Task.yield()
                }
                pause = min(pause * 2, .milliseconds(50))
            }
            if isOver() { return true }
            let elapsed = start.duration(to: clock.now)
            if elapsed >= duration {
                // After the time was read: what was due by then is in a queue before the tasks of
                // this turn.
                await otherThreadsHadATurn()
                if isOver() { return true }
            }
            if patience.isOver(after: elapsed) { return false }
        }
    }
}
