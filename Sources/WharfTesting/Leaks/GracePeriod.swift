/// How long an object may live on after its test, because a task has yet to end that holds it.
///
/// Time alone would be no measure: on a busy machine a second may pass in which nothing but this wait has had a turn. So the
/// period is over when the time has passed, when everything in the queue has had several turns meanwhile, and when tasks of
/// background priority have had theirs; for those it waits ten times as long at most.
struct GracePeriod: Sendable {
    let duration: Duration
    let clock: any Clock<Duration>

    static let usual = Duration.seconds(1)

    /// - Returns: whether `isOver` came true within the period. Where it is true at once, nothing is waited for.
    func passes(until isOver: @escaping @Sendable () -> Bool) async -> Bool {
        if isOver() { return true }
        guard duration > .zero else { return false }
        // A test that ran out of time is cancelled, and its objects have their time all the same.
        return await Task { await poll(by: clock, until: isOver) }.value
    }

    private func poll(by clock: some Clock<Duration>, until isOver: @Sendable () -> Bool) async -> Bool {
        let start = clock.now
        let background = BackgroundTurn()
        var pause = Duration.milliseconds(1)
        var turns = 0
        while true {
            if turns < Self.yields {
                await Task.yield()
            } else {
                do {
                    try await clock.sleep(for: pause)
                } catch {
                    // Nobody cancels this task; a clock that refuses to wait is asked for the time alone.
                    await Task.yield()
                }
                pause = min(pause * 2, .milliseconds(50))
            }
            if isOver() { return true }
            turns += 1
            let elapsed = start.duration(to: clock.now)
            guard elapsed >= duration, turns >= Self.turns else { continue }
            if background.wasHad || elapsed >= duration * 10 { return false }
        }
    }

    private static let yields = 8
    private static let turns = 16
}
