internal import WharfCore

/// One destination as an engine sees it: whether there is a way to it, how many of its lanes are under way, and whether more may be due.
struct Reach {
    let seats: Int
    private(set) var taken = 0
    /// Whether a look at the journal may find something.
    var mayHaveMore = true
    /// Changes whenever the way to it is closed or opened: what an answer says of an earlier one counts no more.
    private(set) var round = 0
    private var failures = 0
    /// When it is tried again; nil: there is a way, as far as is known.
    private(set) var closedUntil: Uptime?

    init(seats: Int) { self.seats = max(1, seats) }

    var free: Int { closedUntil == nil ? seats - taken : 0 }

    mutating func take(_ lanes: Int) { taken += lanes }

    mutating func leave() { taken -= 1 }

    /// Nobody was reached.
    ///
    /// - Parameters:
    ///   - round: in which the delivery began.
    ///   - isOnline: what the system says; nil where it says nothing.
    mutating func close(
        _ round: Int, isOnline: Bool?, _ probes: RetryPolicy, at now: Uptime,
        using random: inout some RandomNumberGenerator
    ) {
        guard round == self.round else { return }
        self.round += 1
        failures += 1
        // Where the system will tell when there is a network, a probe is only for the case that it does not.
        let pause = isOnline == false ? nil : probes.delay(afterFailures: failures, using: &random)
        closedUntil = now + (pause ?? probes.cap)
        mayHaveMore = true
    }

    /// Somebody has answered.
    mutating func reached(_ round: Int) { if round == self.round { failures = 0 } }

    /// There may be a way again.
    mutating func open() {
        round += 1
        failures = 0
        closedUntil = nil
        mayHaveMore = true
    }

    /// - Returns: whether it was closed until now.
    mutating func probe(at now: Uptime) -> Bool {
        guard let closedUntil, closedUntil.hasCome(by: now) else { return false }
        self.closedUntil = nil
        mayHaveMore = true
        return true
    }
}
