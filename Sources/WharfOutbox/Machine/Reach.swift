internal import WharfCore
internal import WharfPrimitives

/// One destination as an engine sees it: whether it takes requests, how many of its lanes are under
/// way, and whether more may be due.
///
/// A lane holds a permit while its request is in flight or waits for one. A lane whose settlement
/// is committed has none, and another lane may hold it meanwhile.
struct Reach {
    /// Lanes that hold a permit or wait for one.
    private(set) var seated = 0
    /// Lanes that are held, with or without a permit.
    private(set) var lanes = 0
    /// Of what was handed out with them.
    private(set) var weight = 0
    /// Whether a look at the journal may find something.
    var mayHaveMore = true
    private(set) var concurrency: AdaptiveConcurrency
    private var inFlight = RequestsInFlight()
    /// Permits that exist, free or held.
    private var permits: Int
    private var window: RateWindow?
    /// Open while the destination takes no requests, as far as is known.
    private var breaker = CircuitBreaker<Uptime>()
    /// Why the breaker has opened last.
    private(set) var obstacle = Obstacle.offline
    /// Whether the credential was refused, and no lane was served since.
    private var isRefused = false
    /// Until when the receiver wants nothing.
    private(set) var heldUntil: Uptime?
    /// Until when the rate limit of the app lets nothing through.
    private var spentUntil: Uptime?
    /// The longest hold; a receiver that asks for a longer one is asked again after this.
    private let longestHold: Duration
    /// Answers in a row that asked for fewer requests.
    private var limited = 0
    /// Requests in a row, of all lanes, that the receiver could not serve.
    private var failing = 0
    /// Lanes by whether they reached the receiver.
    private(set) var reaching = LaneFailures()
    /// Lanes by whether the receiver served them.
    private(set) var serving = LaneFailures()
    /// Whether a lane may be due that was not tried since the breaker opened.
    private var mayHaveUntried = false
    /// When the next of these may be tried; nil: at once.
    private var nextTrial: Uptime?
    /// Whether the last look has found as many lanes as were asked for.
    private var isCrowded = false

    /// Why a breaker is open.
    enum Obstacle {
        case offline
        case unauthenticated
        case failing
    }

    /// After this many failures in a row the breaker opens.
    static let mostFailing = 5
    /// While the breaker is open, lanes that were not tried are no sooner one after the other than
    /// this.
    static let trialPause = Duration.seconds(30)
    /// Without a `Retry-After` a rate limit lasts at least this, and more each time.
    static let limitPause = Duration.seconds(15)
    /// So many lanes are held at one time, and so much of them in memory, unless there are more
    /// permits.
    static let mostLanes = 256
    static let mostWeight = 6 << 20

    init(concurrency: Int, rate: RateLimit? = nil, longestHold: Duration = .seconds(24 * 3_600)) {
        self.longestHold = longestHold
        self.concurrency = AdaptiveConcurrency(most: concurrency)
        permits = self.concurrency.most
        window = rate.map(RateWindow.init)
    }

    // MARK: Lanes

    /// How many lanes more may be leased.
    func free(at now: Uptime) -> Int {
        guard !breaker.isOpen, !isHeld else { return 0 }
        if isProbing { return seated == 0 ? 1 : 0 }
        let seats = concurrency.most
        // As many as would fit if they weighed as much as those that are held.
        let fitting = weight > 0 ? Self.mostWeight * lanes / weight : Self.mostLanes
        let most = max(seats, min(fitting, Self.mostLanes))
        // Lanes whose requests are slow have a bound of their own.
        let quick = lanes - inFlight.slowCount
        // In large portions beyond the permits: each lease is a commit.
        if quick > seats, most - quick < most / 4 { return 0 }
        // As many as are being committed are soon needed again: where it answers faster than a disk
        // writes, these are many.
        let wanted = min(concurrency.limit - seated + (quick - seated), most - quick)
        return window.map { min(wanted, $0.free(at: now)) } ?? wanted
    }

    /// They are on the way to their permits.
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

    /// A lane waits for a permit again.
    mutating func sit() { seated += 1 }

    /// One without a permit.
    mutating func leave(weight: Int) {
        lanes -= 1
        self.weight -= weight
    }

    // MARK: Requests

    /// Whether a lane may send a request now, which counts from now on.
    mutating func begin(_ request: Int64, at now: Uptime) -> Bool {
        if let free = window?.nextFree(at: now) {
            spentUntil = free
            return false
        }
        window?.send(at: now)
        spentUntil = window?.nextFree(at: now)
        inFlight.begin(request, at: now)
        return true
    }

    /// A lane gives up its permit, or its place in the queue.
    ///
    /// - Parameter hasPermit: whether it got one.
    /// - Returns: how many permits are to be released.
    mutating func stand(_ request: Int64, hasPermit: Bool, hasSucceeded: Bool, at now: Uptime) -> Int {
        // A slow request has released its permit before.
        guard inFlight.end(request, hasSucceeded: hasSucceeded, at: now) else { return grow() }
        seated -= 1
        guard hasPermit else { return grow() }
        guard permits <= concurrency.limit else {
            permits -= 1
            return 0
        }
        return 1 + grow()
    }

    /// The permits that are new, as the limit has grown.
    private mutating func grow() -> Int {
        defer { permits = max(permits, concurrency.limit) }
        return max(0, concurrency.limit - permits)
    }

    /// Whether the engine wakes when the next request is slow. Without this each request would wake
    /// it.
    var isSlowAwaited = false

    /// When the next request is slow that keeps another lane from a permit; nil if there is none.
    var nextSlow: Uptime? {
        let seats = isProbing ? 1 : min(permits, concurrency.limit)
        return seated < seats || inFlight.slowCount >= Self.mostLanes ? nil : inFlight.nextSlow
    }

    /// - Returns: how many permits are to be released, as the requests that hold them are slow.
    mutating func releaseSlow(at now: Uptime) -> Int {
        guard let next = nextSlow, next.hasCome(by: now) else { return 0 }
        let released = inFlight.releaseSlow(at: now)
        seated -= released
        mayHaveMore = true
        // The limit may have shrunk since.
        let retired = min(released, max(0, permits - concurrency.limit))
        permits -= retired
        return released - retired
    }

    // MARK: Holding

    /// Whether nothing may be sent now, because the receiver or the rate limit of the app says so.
    var isHeld: Bool { heldUntil != nil || spentUntil != nil }

    /// Whether more is sent by itself once the rate limit of the app lets it.
    var isOnlySpent: Bool { spentUntil != nil && heldUntil == nil && !breaker.isOpen }

    /// Whether the receiver keeps entries that are due from being attempted.
    var isHeldBack: Bool { heldUntil != nil || breaker.isOpen && obstacle != .offline }

    /// When the first of its holds ends.
    var nextEnd: Uptime? {
        [heldUntil, spentUntil].compactMap(\.self).min { $0.nanoseconds < $1.nanoseconds }
    }

    /// Holds the destination for a time that its receiver has named.
    mutating func hold(for pause: Duration, at now: Uptime) {
        let end = now + min(pause, longestHold)
        if let heldUntil, heldUntil.nanoseconds >= end.nanoseconds { return }
        heldUntil = end
    }

    /// The receiver has asked for fewer requests.
    ///
    /// Answers to requests that were in flight at the first one make no longer pause.
    ///
    /// - Parameters:
    ///   - after: the pause that it asked for; nil if it named none.
    ///   - jitter: what is added, so that clients that were told the same don't come at once.
    mutating func limit(
        for after: Duration?, jitter: Backoff, at now: Uptime, using random: inout some RandomNumberGenerator
    ) {
        if heldUntil != nil, after == nil { return }
        if heldUntil == nil { limited += 1 }
        // A pause of next to nothing grows, as one that was not named.
        let isNamed = after.map { $0 >= .seconds(1) } == true
        let failures = isNamed ? 1 : max(1, limited)
        hold(for: (after ?? Self.limitPause) + jitter.delay(afterFailures: failures, using: &random), at: now)
    }

    /// - Returns: whether it was held until now.
    mutating func endHold(at now: Uptime) -> Bool {
        let wasHeld = isHeld
        if heldUntil?.hasCome(by: now) == true { heldUntil = nil }
        if spentUntil?.hasCome(by: now) == true { spentUntil = nil }
        guard wasHeld, !isHeld else { return false }
        mayHaveMore = true
        return true
    }

    /// The receiver has shown congestion in answer to a request.
    mutating func congested(_ request: Int64, at now: Uptime) {
        concurrency.congested(inFlight.began(request) ?? now, at: now)
    }

    // MARK: The breaker

    /// When a probe is sent; nil while the breaker is not open.
    var closedUntil: Uptime? { breaker.openUntil }

    /// A failure of an earlier generation opens no breaker.
    var generation: Int { breaker.generation }

    /// Whether one lane at a time finds out if the destination takes requests again.
    ///
    /// A destination without a network is no burden to a receiver, so all lanes probe it.
    private var isProbing: Bool {
        if case .halfOpen = breaker.state { obstacle != .offline } else { false }
    }

    /// Whether a lane that has sent nothing yet may, although another one has failed since.
    ///
    /// It may where that one was not reached: that can be a fault of its address.
    var takesFirst: Bool { !isHeld && !(breaker.isOpen && obstacle != .offline) }

    /// Opens the breaker.
    ///
    /// - Parameters:
    ///   - generation: in which the delivery began.
    ///   - isOnline: what the system says; nil where it says nothing.
    /// - Returns: whether it opened now. It does not if it was open, or if the delivery began in
    ///   another generation.
    @discardableResult
    mutating func close(
        _ obstacle: Obstacle, _ generation: Int, isOnline: Bool?, _ probes: Backoff, at now: Uptime,
        using random: inout some RandomNumberGenerator
    ) -> Bool {
        let breakerOpened = breaker.recordFailure(in: generation) { failures in
            // Where the system will tell when there is a network, a probe is only for the case that
            // it does not.
            now + (isOnline == false ? probes.cap : probes.delay(afterFailures: failures, using: &random))
        }
        guard breakerOpened else { return false }
        self.obstacle = obstacle
        if obstacle == .unauthenticated { isRefused = true }
        failing = 0
        mayHaveMore = true
        mayHaveUntried = isCrowded && isOnline != false
        return true
    }

    /// A lane has reached the receiver.
    ///
    /// - Returns: whether more lanes may be leased from now on.
    mutating func reached(_ lane: String) -> Bool {
        reaching.succeeded(lane)
        return breaker.isClosed || obstacle != .offline ? false : recover()
    }

    /// The receiver has served a lane, whatever others have found.
    ///
    /// - Returns: whether more lanes may be leased from now on.
    mutating func served(_ lane: String) -> Bool {
        reaching.succeeded(lane)
        serving.succeeded(lane)
        concurrency.succeeded()
        (failing, limited, isRefused) = (0, 0, false)
        return recover()
    }

    private mutating func recover() -> Bool {
        nextTrial = nil
        let wasProbing = isProbing
        let takesMore = breaker.recordSuccess() || wasProbing
        if takesMore { mayHaveMore = true }
        return takesMore
    }

    /// The receiver could not serve a lane.
    ///
    /// A lane that fails while others are served shows no congestion: that is the fault of its
    /// entry.
    ///
    /// - Parameters:
    ///   - generation: in which the delivery began.
    ///   - request: the number of its lease.
    /// - Returns: whether this is one failure too many.
    mutating func failed(
        _ lane: String, _ request: Int64, since before: Int, in generation: Int, at now: Uptime
    ) -> Bool {
        guard !serving.isAlone(lane, since: before) else { return false }
        congested(request, at: now)
        guard generation == breaker.generation else { return false }
        failing += 1
        return failing >= Self.mostFailing || isProbing
    }

    /// Whether a lane was not reached while others were: it is not for want of a network then.
    mutating func isAlone(_ lane: String, since answers: Int) -> Bool { reaching.isAlone(lane, since: answers) }

    /// Whether a lane was refused for its credential while others were served: the credential is
    /// good then.
    mutating func isRefusedAlone(_ lane: String, since served: Int) -> Bool {
        serving.isAlone(lane, since: served)
    }

    // MARK: While the breaker is open

    private var failures: LaneFailures { obstacle == .offline ? reaching : serving }

    /// Something has come to a lane.
    mutating func came(to lane: String) { if breaker.isOpen, failures.isUntried(lane) { mayHaveUntried = true } }

    /// Something else may be due than was.
    mutating func becameDue() { if breaker.isOpen { mayHaveUntried = true } }

    /// When a lane that was not tried is to be looked for; nil where none is due, as far as is
    /// known.
    func trial(at now: Uptime) -> Uptime? {
        guard breaker.isOpen, !isHeld, mayHaveUntried, seated < concurrency.limit else { return nil }
        return nextTrial ?? now
    }

    mutating func beginTrial(at now: Uptime) {
        mayHaveUntried = false
        nextTrial = now + Self.trialPause
    }

    /// Lanes of which an attempt says nothing new.
    var tried: Set<String> { failures.tried }

    // MARK: Closing it

    /// The destination may take requests again. A hold stays: the receiver has named its end.
    mutating func open() {
        breaker.reset()
        (failing, isRefused) = (0, false)
        reaching.forget()
        serving.forget()
        nextTrial = nil
        mayHaveMore = true
    }

    /// The app has another credential: what was refused before tells nothing of it.
    mutating func credentialChanged() {
        if breaker.isClosed {
            // Answers to requests from before tell nothing. Which lanes fail alone is still true.
            breaker.reset()
        } else if isRefused {
            open()
        }
    }

    /// There is a network again. A receiver that refused or failed is not asked for that.
    mutating func networkIsBack() { if breaker.isClosed || obstacle == .offline { open() } }

    /// - Returns: whether it was open until now.
    mutating func probe(at now: Uptime) -> Bool {
        guard breaker.probe(isDue: { $0.hasCome(by: now) }) else { return false }
        mayHaveMore = true
        return true
    }
}
