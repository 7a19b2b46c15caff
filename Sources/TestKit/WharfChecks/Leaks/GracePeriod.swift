/// The time that an object may outlive its test.
///
/// A task that holds the object may have to end first.
struct GracePeriod: Sendable {
    let duration: Duration
    let clock: any Clock<Duration>

    static let usual = Duration.seconds(1)

    /// Waits until `isOver` is true or the period has passed. It does not wait if it is true at
    /// once.
    ///
    /// - Returns: whether `isOver` became true within the period.
    func passes(until isOver: @escaping @Sendable () -> Bool) async -> Bool {
        if isOver() { return true }
        guard duration > .zero else { return false }
        // A test that exceeds its time limit is cancelled. Its objects get their time even so.
        return await Task { await poll(by: clock, until: isOver) }.value
    }

    private func poll(by clock: some Clock<Duration>, until isOver: @Sendable () -> Bool) async -> Bool {
        let start = clock.now
        var patience = Patience(duration)
        // Most objects are released within a few turns, so the first ones cost no time.
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
                    // This task is never cancelled. If a clock does not sleep, only its time is
                    // used.
                    await Task.yield()
                }
                pause = min(pause * 2, .milliseconds(50))
            }
            if isOver() { return true }
            let elapsed = start.duration(to: clock.now)
            if elapsed >= duration {
                // This runs after the time was read: work that was due by then is queued before the
                // tasks of this turn.
                await otherThreadsHadATurn()
                if isOver() { return true }
            }
            if patience.isOver(after: elapsed) { return false }
        }
    }
}
