/// Decides after each turn whether a grace period is over.
///
/// Time alone would be no measure: on a busy machine a second may pass in which nothing but this wait has had a turn. So the
/// time must have passed, everything in the queue must have had several turns meanwhile, and tasks of background priority theirs;
/// those are waited for ten times as long at most.
struct Patience {
    let duration: Duration
    private var turns = 0

    static let turns = 16

    init(_ duration: Duration) { self.duration = duration }

    mutating func isOver(after elapsed: Duration, backgroundHadItsTurn: Bool) -> Bool {
        turns += 1
        guard elapsed >= duration, turns >= Self.turns else { return false }
        return backgroundHadItsTurn || elapsed >= duration * 10
    }
}
