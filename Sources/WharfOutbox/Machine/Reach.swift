internal import WharfCore
internal import WharfPrimitives

/// One destination as an engine sees it: whether there is a way to it, how many of its lanes are under way, and whether
/// more may be due.
///
/// Who is at the destination, or on the way there, has a seat. Who waits until a settlement is committed has none, and another
/// lane may sit there meanwhile.
struct Reach {
    let seats: Int
    private(set) var seated = 0
    /// Lanes that are held, with or without a seat.
    private(set) var lanes = 0
    /// Of what was handed out with them.
    private(set) var weight = 0
    /// Whether a look at the journal may find something.
    var mayHaveMore = true
    /// Open while there is no way to the destination, as far as is known.
    private var breaker = CircuitBreaker<Uptime>()
    /// How often somebody has answered.
    private(set) var answers = 0
    /// Lanes that were not reached, and have not been since: how often somebody had answered by then.
    private var unreached: [String: Int] = [:]
    /// Whether a lane may be due that was not tried since the way was closed.
    private var mayHaveUntried = false
    /// When the next of these may be tried; nil: at once.
    private var nextTrial: Uptime?
    /// Whether the last look has found as many lanes as were asked for.
    private var isCrowded = false

    /// Above this what is known of them is forgotten: it takes one more attempt to learn it again.
    static let mostUnreached = 10_000
    /// While the way is closed, lanes that were not tried are no sooner one after the other than this.
    static let trialPause = Duration.seconds(30)

    /// So many lanes are held at one time, and so much of them in memory, unless there are more seats.
    static let mostLanes = 256
    static let mostWeight = 6 << 20

    init(seats: Int) { self.seats = max(1, seats) }

    /// When all lanes are tried again; nil while the breaker is not open.
    var closedUntil: Uptime? { breaker.openUntil }

    /// A failure of an earlier generation opens no breaker.
    var generation: Int { breaker.generation }

    /// How many lanes more may be leased.
    var free: Int {
        guard !breaker.isOpen else { return 0 }
        // As many as would fit if they weighed as much as those that are held.
        let fitting = weight > 0 ? Self.mostWeight * lanes / weight : Self.mostLanes
        let most = max(seats, min(fitting, Self.mostLanes))
        // In large portions beyond the seats: each lease is a commit.
        if lanes > seats, most - lanes < most / 4 { return 0 }
        // As many as are being committed are soon needed again: where it answers faster than a disk writes, these are many.
        return min(seats - seated + (lanes - seated), most - lanes)
    }

    /// They are on the way to their seats.
    ///
    /// - Parameters:
    ///   - weight: of what was handed out with them.
    ///   - isAll: as many as were asked for.
    mutating func take(_ lanes: Int, weight: Int, isAll: Bool) {
        self.lanes += lanes
        self.weight += weight
        seated += lanes
        isCrowded = isAll
        if isAll { mayHaveMore = true }
    }

    mutating func sit() { seated += 1 }

    mutating func stand() { seated -= 1 }

    /// One without a seat.
    mutating func leave(weight: Int) {
        lanes -= 1
        self.weight -= weight
    }

    /// Nobody was reached.
    ///
    /// - Parameters:
    ///   - generation: in which the delivery began.
    ///   - isOnline: what the system says; nil where it says nothing.
    mutating func close(
        _ generation: Int, isOnline: Bool?, _ probes: Backoff, at now: Uptime,
        using random: inout some RandomNumberGenerator
    ) {
        let breakerOpened = breaker.recordFailure(in: generation) { failures in
            // Where the system will tell when there is a network, a probe is only for the case that it does not.
            now + (isOnline == false ? probes.cap : probes.delay(afterFailures: failures, using: &random))
        }
        guard breakerOpened else { return }
        mayHaveMore = true
        mayHaveUntried = isCrowded && isOnline != false
    }

    /// Somebody of a lane has answered: there is a way, whatever others have found.
    ///
    /// - Returns: whether it was closed until now.
    mutating func reached(_ lane: String) -> Bool {
        answers += 1
        unreached[lane] = nil
        nextTrial = nil
        let wasOpen = breaker.recordSuccess()
        if wasOpen { mayHaveMore = true }
        return wasOpen
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

    // MARK: While the way is closed

    /// Whether an attempt of the lane may say something new: others that were not reached may be so by their own fault.
    func isUntried(_ lane: String) -> Bool { unreached[lane].map { $0 < answers } ?? true }

    /// Something has come to a lane.
    mutating func came(to lane: String) { if breaker.isOpen, isUntried(lane) { mayHaveUntried = true } }

    /// Something else may be due than was.
    mutating func becameDue() { if breaker.isOpen { mayHaveUntried = true } }

    /// When a lane that was not tried is to be looked for; nil where none is due, as far as is known.
    func trial(at now: Uptime) -> Uptime? {
        guard breaker.isOpen, mayHaveUntried, seated < seats else { return nil }
        return nextTrial ?? now
    }

    mutating func beginTrial(at now: Uptime) {
        mayHaveUntried = false
        nextTrial = now + Self.trialPause
    }

    /// Lanes of which an attempt says nothing new.
    var tried: Set<String> { Set(unreached.keys.filter { !isUntried($0) }) }

    // MARK: Opening it

    /// There may be a way again.
    mutating func open() {
        breaker.reset()
        unreached = [:]
        nextTrial = nil
        mayHaveMore = true
    }

    /// - Returns: whether it was closed until now.
    mutating func probe(at now: Uptime) -> Bool {
        guard breaker.probe(isDue: { $0.hasCome(by: now) }) else { return false }
        mayHaveMore = true
        return true
    }
}
