/// Decides after each turn whether a grace period is over.
///
/// Time alone is no measure: on a busy machine a second may pass in which only the waiting thread
/// ran. So three conditions must hold:
///
/// - The time has passed.
/// - There were several turns in all.
/// - There were several turns after the time had passed. Each of these ends when a task of each
///   priority that began in it has run, background included. It has no time limit.
struct Patience {
    let duration: Duration
    private var turns = 0
    private var lateTurns = 0

    static let turns = 16
    /// For a task that slept until the very end of the time, and for the work that it starts.
    static let lateTurns = 4

    init(_ duration: Duration) { self.duration = duration }

    mutating func isOver(after elapsed: Duration) -> Bool {
        turns += 1
        guard elapsed >= duration else { return false }
        lateTurns += 1
        return turns >= Self.turns && lateTurns >= Self.lateTurns
    }
}
