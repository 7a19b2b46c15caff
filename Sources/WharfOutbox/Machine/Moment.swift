internal import WharfCore

/// Both kinds of time at once.
struct Moment: Hashable {
    /// For what lies in the journal.
    var wall: WallTime
    /// For what this process waits for, and for leases.
    var uptime: Uptime
}

extension Uptime {
    /// From now on; zero where it has come.
    func remaining(at now: Uptime) -> Duration {
        hasCome(by: now) ? .zero : .nanoseconds(nanoseconds) - .nanoseconds(now.nanoseconds)
    }
}
