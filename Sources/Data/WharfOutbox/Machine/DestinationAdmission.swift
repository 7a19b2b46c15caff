internal import WharfCore
internal import WharfPrimitives

/// An engine's view of one destination: its circuit breaker, limits and lanes.
///
/// A lane holds a permit while its request is in flight. The permit is released before the
/// settlement is committed, so another lane can use it meanwhile.
struct DestinationAdmission {
    /// The number of lanes that hold a permit or wait for one.
    private(set) var permitHolders = 0
    /// The number of leased lanes, with or without a permit.
    private(set) var lanes = 0
    /// The estimated bytes in memory of the leased lanes' deliveries.
    private(set) var weight = 0
    /// Whether the next lease may find something.
    var mayHaveMore = true
    private(set) var concurrency: AdaptiveConcurrency
    private var inFlight = RequestsInFlight()
    /// The number of permits in circulation, free or held.
    private var permits: Int
    private var window: RateWindow?
    /// Open while the destination is known to take no requests.
    private var breaker = CircuitBreaker<Uptime>()
    /// The reason for which the breaker last opened.
    private(set) var obstacle = Obstacle.offline
    /// Whether the credential was refused, and no lane was served since.
    private var isRefused = false
    /// The end of the hold that the receiver asked for.
    private(set) var heldUntil: Uptime?
    /// The end of the hold by the app's own rate limit.
    private var rateLimitedUntil: Uptime?
    /// The longest hold. A receiver that asks for a longer one is called again after this.
    private let longestHold: Duration
    /// The number of answers in a row that asked for fewer requests.
    private var limited = 0
    /// The number of consecutive requests of all lanes that the receiver failed.
    private var failing = 0
    /// The lanes by whether they reached the receiver.
    private(set) var reaching = LaneFailures()
    /// The lanes by whether the receiver served them.
    private(set) var serving = LaneFailures()
    /// Whether a lane may be due that was not tried since the breaker opened.
    private var mayHaveUntried = false
    /// When the next untried lane may be attempted; nil for at once.
    private var nextTrial: Uptime?
    /// Whether the last lease returned as many lanes as were asked for.
    private var wasLastLeaseFull = false

    /// The reason for an open breaker.
    enum Obstacle {
        case offline
        case unauthenticated
        case failing
    }

    /// The number of failures in a row that opens the breaker.
    static let mostFailing = 5
    /// The least interval between attempts of untried lanes while the breaker is open.
    static let trialPause = Duration.seconds(30)
    /// The least pause of a rate limit without `Retry-After`. It grows with each one in a row.
    static let limitPause = Duration.seconds(15)
    /// The most lanes that are leased at one time, unless there are more permits. ``mostWeight``
    /// bounds their bytes in memory.
    static let mostLanes = 256
    static let mostWeight = 6 << 20

    init(concurrency: Int, rate: RateLimit? = nil, longestHold: Duration = .seconds(24 * 3_600)) {
        self.longestHold = longestHold
        self.concurrency = AdaptiveConcurrency(most: concurrency)
        permits = self.concurrency.most
        window = rate.map(RateWindow.init)
    }

    // MARK: Lanes

    /// The number of lanes that may be leased now.
    func freeCount(at now: Uptime) -> Int {
        // While the breaker is open, only `trial(at:)` attempts lanes.
        guard !breaker.isOpen, !isHeld else { return 0 }
        // One probe at a time: a receiver that has just failed must not get all lanes at once.
        if isProbing { return permitHolders == 0 ? 1 : 0 }
        let permitLimit = concurrency.most
        // Memory bounds the lanes: as many as fit at the mean weight of the present ones.
        let fitting = weight > 0 ? Self.mostWeight * lanes / weight : Self.mostLanes
        let most = max(permitLimit, min(fitting, Self.mostLanes))
        // Lanes with slow requests are bounded separately, so they do not count here.
        let quick = lanes - inFlight.slowCount
        // Each lease is a commit. Beyond the permits, lanes are leased only in large portions.
        if quick > permitLimit, most - quick < most / 4 { return 0 }
        // Lanes whose settlement is being committed need a permit again soon. If the receiver
        // answers faster than the disk writes, there are many of them, so as many more lanes are
        // leased.
        let wanted = min(concurrency.limit - permitHolders + (quick - permitHolders), most - quick)
        return window.map { min(wanted, $0.freeCount(at: now)) } ?? wanted
    }

    /// Counts lanes that were leased and now wait for permits.
    ///
    /// - Parameters:
    ///   - weight: the estimated bytes of their deliveries.
    ///   - isAll: whether the lease returned as many lanes as were asked for.
    mutating func addLanes(_ lanes: Int, weight: Int, isAll: Bool) {
        self.lanes += lanes
        self.weight += weight
        permitHolders += lanes
        // A full answer means that more lanes may be due: for the next lease, and for trials while
        // the breaker is open.
        wasLastLeaseFull = isAll
        if isAll { mayHaveMore = true }
    }

    /// Counts a lane that waits for a permit again.
    mutating func acquirePermit() { permitHolders += 1 }

    /// Removes a lane that holds no permit.
    mutating func removeLane(weight: Int) {
        lanes -= 1
        self.weight -= weight
    }

    // MARK: Requests

    /// Returns whether a lane may send a request now, and counts it as sent if so.
    mutating func beginRequest(_ request: Int64, at now: Uptime) -> Bool {
        // The check and the count are one step under the engine's lock. Two lanes could otherwise
        // both take the last place of the window.
        if let free = window?.nextFree(at: now) {
            rateLimitedUntil = free
            return false
        }
        window?.send(at: now)
        // Set with the request that fills the window, so that no lane is leased only to find it
        // full.
        rateLimitedUntil = window?.nextFree(at: now)
        inFlight.beginRequest(request, at: now)
        return true
    }

    /// Gives up a lane's permit, or its place in the queue for one.
    ///
    /// - Parameter hasPermit: whether the lane got one.
    /// - Returns: the number of permits to release.
    mutating func releasePermit(_ request: Int64, hasPermit: Bool, hasSucceeded: Bool, at now: Uptime) -> Int {
        // A slow request has released its permit already. Releasing it again would exceed the
        // limit.
        guard inFlight.endRequest(request, hasSucceeded: hasSucceeded, at: now) else { return grow() }
        // The lane no longer competes for a permit, whether it had one or was still waiting.
        permitHolders -= 1
        // A lane that was cancelled in the queue has no permit to pass on.
        guard hasPermit else { return grow() }
        // The limit has shrunk since. This permit is retired and not released, so that fewer are in
        // circulation.
        guard permits <= concurrency.limit else {
            permits -= 1
            return 0
        }
        return 1 + grow()
    }

    /// Returns the number of new permits after the limit has grown.
    private mutating func grow() -> Int {
        // The limit may have grown by this very success. Its new permits enter circulation once.
        defer { permits = max(permits, concurrency.limit) }
        return max(0, concurrency.limit - permits)
    }

    /// Whether the engine's alarm is set for the next slow request.
    ///
    /// Without this flag each request would wake the engine.
    var isSlowAwaited = false

    /// When the next request becomes slow and frees a permit; nil if no lane needs one.
    var nextSlow: Uptime? {
        let permitLimit = isProbing ? 1 : min(permits, concurrency.limit)
        return permitHolders < permitLimit || inFlight.slowCount >= Self.mostLanes ? nil : inFlight.nextSlow
    }

    /// - Returns: the number of permits to release because the requests that hold them are slow.
    mutating func releaseSlow(at now: Uptime) -> Int {
        // Without a lane that waits, a slow request may keep its permit.
        guard let next = nextSlow, next.hasCome(by: now) else { return 0 }
        let released = inFlight.releaseSlow(at: now)
        permitHolders -= released
        mayHaveMore = true
        // The limit may have shrunk since, so some of these permits are retired instead.
        let retired = min(released, max(0, permits - concurrency.limit))
        permits -= retired
        return released - retired
    }

    // MARK: Holding

    /// Whether the receiver or the app's rate limit forbids requests now.
    var isHeld: Bool { heldUntil != nil || rateLimitedUntil != nil }

    /// Whether only the app's rate limit forbids requests. They continue when it ends.
    var isOnlyRateLimited: Bool { rateLimitedUntil != nil && heldUntil == nil && !breaker.isOpen }

    /// Whether the receiver keeps due entries from being attempted.
    var isHeldBack: Bool { heldUntil != nil || breaker.isOpen && obstacle != .offline }

    /// When the first of the holds ends.
    var nextEnd: Uptime? {
        [heldUntil, rateLimitedUntil].compactMap(\.self).min { $0.nanoseconds < $1.nanoseconds }
    }

    /// Holds the destination for a time that its receiver has named.
    mutating func hold(for pause: Duration, at now: Uptime) {
        // A receiver that names years must not stop its entries for ever.
        let end = now + min(pause, longestHold)
        // A shorter hold never ends a longer one early.
        if let heldUntil, heldUntil.nanoseconds >= end.nanoseconds { return }
        heldUntil = end
    }

    /// Holds the destination because its receiver asked for fewer requests.
    ///
    /// Answers to requests that were in flight at the first one do not lengthen the hold.
    ///
    /// - Parameters:
    ///   - after: the pause that the receiver asked for; nil if it named none.
    ///   - jitter: a random addition, so that clients with the same pause don't return at once.
    mutating func limit(
        for after: Duration?, jitter: Backoff, at now: Uptime, using random: inout some RandomNumberGenerator
    ) {
        // An answer without a time adds nothing to a hold: its request was in flight at the first
        // refusal.
        if heldUntil != nil, after == nil { return }
        // One hold counts once, however many requests were in flight when it began.
        if heldUntil == nil { limited += 1 }
        // A named pause below one second grows like an unnamed one. Otherwise `Retry-After: 0`
        // would make a busy loop.
        let isNamed = after.map { $0 >= .seconds(1) } == true
        let failures = isNamed ? 1 : max(1, limited)
        hold(for: (after ?? Self.limitPause) + jitter.delay(afterFailures: failures, using: &random), at: now)
    }

    /// - Returns: whether a hold ended now.
    mutating func endHold(at now: Uptime) -> Bool {
        let wasHeld = isHeld
        if heldUntil?.hasCome(by: now) == true { heldUntil = nil }
        if rateLimitedUntil?.hasCome(by: now) == true { rateLimitedUntil = nil }
        // Both holds must be over. The end of one alone frees nothing.
        guard wasHeld, !isHeld else { return false }
        mayHaveMore = true
        return true
    }

    /// Lowers the concurrency limit after a receiver showed congestion.
    mutating func recordCongestion(_ request: Int64, at now: Uptime) {
        concurrency.recordCongestion(inFlight.began(request) ?? now, at: now)
    }

    // MARK: The breaker

    /// When the next probe is due; nil while the breaker is not open.
    var nextProbe: Uptime? { breaker.openUntil }

    /// The breaker's generation. A failure of an earlier generation does not open it.
    var generation: Int { breaker.generation }

    /// Whether one lane at a time probes the destination.
    ///
    /// Without a network no request reaches the receiver, so all lanes probe at once then.
    private var isProbing: Bool {
        if case .halfOpen = breaker.state { obstacle != .offline } else { false }
    }

    /// Whether a lane may still send its first request after another lane has failed.
    ///
    /// It may if the other was not reached: that can be the fault of the other's address.
    var takesFirst: Bool { !isHeld && !(breaker.isOpen && obstacle != .offline) }

    /// Opens the breaker.
    ///
    /// - Parameters:
    ///   - generation: the generation in which the delivery began.
    ///   - isOnline: the system's report; nil if it has none.
    /// - Returns: whether it opened now. It does not if it was open, or if the delivery began in
    ///   another generation.
    @discardableResult
    mutating func openBreaker(
        _ obstacle: Obstacle, _ generation: Int, isOnline: Bool?, _ probes: Backoff, at now: Uptime,
        using random: inout some RandomNumberGenerator
    ) -> Bool {
        let breakerOpened = breaker.recordFailure(in: generation) { failures in
            // If the system reports the network's return, the probe is only a fallback, so it waits
            // for the longest pause.
            now + (isOnline == false ? probes.cap : probes.delay(afterFailures: failures, using: &random))
        }
        // Other requests that were in flight at this failure are of an earlier generation, and
        // change nothing.
        guard breakerOpened else { return false }
        self.obstacle = obstacle
        if obstacle == .unauthenticated { isRefused = true }
        failing = 0
        mayHaveMore = true
        // If the last lease was full, lanes may be due that no request has tried. One of them may
        // get through.
        mayHaveUntried = wasLastLeaseFull && isOnline != false
        return true
    }

    /// Records that a lane has reached the receiver.
    ///
    /// - Returns: whether more lanes may be leased from now on.
    mutating func recordReached(_ lane: String) -> Bool {
        reaching.recordSuccess(lane)
        // An answer disproves that the receiver is offline. It does not disprove a refused
        // credential or a failing receiver.
        return breaker.isClosed || obstacle != .offline ? false : recover()
    }

    /// Records that the receiver has served a lane, and closes the breaker.
    ///
    /// - Returns: whether more lanes may be leased from now on.
    mutating func recordServed(_ lane: String) -> Bool {
        reaching.recordSuccess(lane)
        serving.recordSuccess(lane)
        concurrency.recordSuccess()
        // A served lane ends both rows of failures, and shows that the credential is accepted.
        (failing, limited, isRefused) = (0, 0, false)
        return recover()
    }

    private mutating func recover() -> Bool {
        nextTrial = nil
        let wasProbing = isProbing
        // Read before: `recordSuccess()` closes the breaker, and `isProbing` is false afterwards.
        let takesMore = breaker.recordSuccess() || wasProbing
        if takesMore { mayHaveMore = true }
        return takesMore
    }

    /// Records that the receiver could not serve a lane.
    ///
    /// A lane that fails while others are served shows no congestion: its entry is at fault.
    ///
    /// - Parameters:
    ///   - generation: the generation in which the delivery began.
    ///   - request: the number of its lease.
    /// - Returns: whether the breaker has to open.
    mutating func recordFailure(
        _ lane: String, _ request: Int64, since before: Int, in generation: Int, at now: Uptime
    ) -> Bool {
        // Others were served meanwhile, so the entry is at fault and not the receiver.
        guard !serving.recordFailure(lane, since: before) else { return false }
        recordCongestion(request, at: now)
        // A failure from before the breaker last opened must not count toward the next opening.
        guard generation == breaker.generation else { return false }
        failing += 1
        // A failed probe opens at once. A closed breaker needs several failures, because one may be
        // an accident.
        return failing >= Self.mostFailing || isProbing
    }

    /// Records a lane that was not reached, and returns whether others were meanwhile.
    ///
    /// If others were, the network is not the cause.
    mutating func recordUnreached(_ lane: String, since answers: Int) -> Bool {
        reaching.recordFailure(lane, since: answers)
    }

    /// Records a refused credential, and returns whether others were served meanwhile.
    ///
    /// If others were, the credential is good.
    mutating func recordRefusal(_ lane: String, since served: Int) -> Bool {
        serving.recordFailure(lane, since: served)
    }

    // MARK: While the breaker is open

    private var failures: LaneFailures { obstacle == .offline ? reaching : serving }

    /// Records a new entry in a lane.
    mutating func recordEntry(in lane: String) { if breaker.isOpen, failures.isUntried(lane) { mayHaveUntried = true } }

    /// Records that other entries may be due than before.
    mutating func lookForUntried() { if breaker.isOpen { mayHaveUntried = true } }

    /// When to look for an untried lane; nil if none is known to be due.
    func trial(at now: Uptime) -> Uptime? {
        guard breaker.isOpen, !isHeld, mayHaveUntried, permitHolders < concurrency.limit else { return nil }
        return nextTrial ?? now
    }

    mutating func beginTrial(at now: Uptime) {
        // Cleared before the lease. An event during the lease sets it again, and is not lost.
        mayHaveUntried = false
        nextTrial = now + Self.trialPause
    }

    /// The lanes whose attempts would give no new information.
    var tried: Set<String> { failures.tried }

    // MARK: Closing it

    /// Closes the breaker, as the destination may take requests again.
    ///
    /// A hold stays: the receiver has named its end.
    mutating func closeBreaker() {
        breaker.reset()
        (failing, isRefused) = (0, false)
        reaching.forget()
        serving.forget()
        nextTrial = nil
        mayHaveMore = true
    }

    /// Records another credential: refusals of the old one no longer count.
    mutating func credentialChanged() {
        if breaker.isClosed {
            // A new generation: answers to requests with the old credential open nothing. The
            // failures of single lanes stay valid.
            breaker.reset()
        } else if isRefused {
            closeBreaker()
        }
    }

    /// Closes the breaker if the network was the obstacle.
    ///
    /// A receiver that refused the credential or failed is not called because of the network.
    mutating func recordNetworkReturn() { if breaker.isClosed || obstacle == .offline { closeBreaker() } }

    /// Makes the breaker half-open when its probe is due.
    ///
    /// - Returns: whether it was open until now.
    mutating func probe(at now: Uptime) -> Bool {
        guard breaker.probe(isDue: { $0.hasCome(by: now) }) else { return false }
        mayHaveMore = true
        return true
    }
}
