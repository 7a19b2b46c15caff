internal import WharfCore

/// One destination as an engine sees it: whether there is a way to it, how many of its lanes are under way, and whether
/// more may be due.
struct Reach {
    let seats: Int
    private(set) var taken = 0
    /// Whether a look at the journal may find something.
    var mayHaveMore = true
    /// Changes whenever the way to it is closed or opened: that nobody was reached in an earlier one closes nothing.
    private(set) var round = 0
    private var failures = 0
    /// How often somebody has answered.
    private(set) var answers = 0
    /// Lanes that were not reached, and have not been since: how often somebody had answered by then.
    private var unreached: [String: Int] = [:]
    /// When it is tried again; nil: there is a way, as far as is known.
    private(set) var closedUntil: Uptime?
    /// Whether something that came has opened it in this pause: each would otherwise begin another round for those who wait.
    private var hasTriedNew = false

    /// Above this what is known of them is forgotten: it takes one more attempt to learn it again.
    static let mostUnreached = 10_000

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

    /// Somebody of a lane has answered: there is a way, whatever others have found.
    ///
    /// - Returns: whether it was closed until now.
    mutating func reached(_ lane: String) -> Bool {
        answers += 1
        failures = 0
        unreached[lane] = nil
        hasTriedNew = false
        defer { closedUntil = nil }
        if closedUntil != nil { mayHaveMore = true }
        return closedUntil != nil
    }

    /// Whether a lane was not reached while others were: it is not for want of a way then.
    ///
    /// - Parameter answers: how often somebody had answered when its attempt began. Where its last one did not get there
    ///   either, since that.
    mutating func isAlone(_ lane: String, since answers: Int) -> Bool {
        if unreached.count > Self.mostUnreached { unreached = [:] }
        defer { unreached[lane] = self.answers }
        return self.answers > unreached[lane] ?? answers
    }

    /// Something has come to a lane. While the way is closed, a lane that was not tried is worth an attempt: that others were
    /// not reached may be their own fault. Once in a pause.
    mutating func came(to lane: String) {
        guard closedUntil != nil, !hasTriedNew, unreached[lane] == nil else { return }
        hasTriedNew = true
        closedUntil = nil
        mayHaveMore = true
    }

    /// There may be a way again.
    mutating func open() {
        round += 1
        failures = 0
        unreached = [:]
        hasTriedNew = false
        closedUntil = nil
        mayHaveMore = true
    }

    /// - Returns: whether it was closed until now.
    mutating func probe(at now: Uptime) -> Bool {
        guard let closedUntil, closedUntil.hasCome(by: now) else { return false }
        self.closedUntil = nil
        hasTriedNew = false
        mayHaveMore = true
        return true
    }
}
