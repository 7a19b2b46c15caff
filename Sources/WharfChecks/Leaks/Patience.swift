/// Decides after each turn whether a grace period is over.
///
/// Time alone is no measure: on a busy machine a second may pass in which no thread but the one
/// that waits had a turn. So the time must have passed, there must have been several turns in all,
/// and several since then. Of those each ends when a task of each priority, background included,
/// has run that began in it; it takes as long as the machine needs, without a limit.
struct Patience {
    let duration: Duration
    private var turns = 0
    private var lateTurns = 0

    static let turns = 16
    /// For a task that slept until the very end of the time, and what it sets going.
    static let lateTurns = 4

    init(_ duration: Duration) { self.duration = duration }

    mutating func isOver(after elapsed: Duration) -> Bool {
        turns += 1
        guard elapsed >= duration else { return false }
        lateTurns += 1
        return turns >= Self.turns && lateTurns >= Self.lateTurns
    }
}
