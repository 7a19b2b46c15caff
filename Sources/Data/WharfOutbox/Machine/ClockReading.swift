internal import WharfCore

/// The wall clock and the uptime clock, read together.
struct ClockReading: Hashable {
    /// For times that are stored in the journal.
    var wall: WallTime
    /// For the waits of this process, and for leases.
    var uptime: Uptime
}

extension Uptime {
    /// The time from `now` until this moment; zero if it has passed.
    func remaining(at now: Uptime) -> Duration {
        hasCome(by: now) ? .zero : .nanoseconds(nanoseconds) - .nanoseconds(now.nanoseconds)
    }
}
