internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The engine's state machine: when to lease which destination, and when to wake.
///
/// It is a value without clock, tasks or store. The engine reports each event to it, and
/// ``next(at:)`` returns the next step.
struct Schedule {
    enum Step: Equatable {
        /// Lease at most this many lanes of a destination.
        ///
        /// Report the result by ``recordLease(_:of:asked:weight:)``.
        case lease(String, lanes: Int)
        /// Lease one lane of a destination with an open breaker.
        ///
        /// Skip the lanes in ``tried(of:)``. Report the result by
        /// ``recordLease(_:of:asked:weight:)`` and ``lookForUntried(of:)``.
        case tryUntried(String)
        /// Ask the journal when something is due at these destinations.
        ///
        /// Ask for the time after ``nextDueStart(at:)``, and report the answer by
        /// ``recordNextDue(_:at:answered:)``.
        case findNextDue([String])
        /// Release this many permits of a destination, which slow requests hold.
        case releasePermits(String, Int)
        /// Wait for this long, or until an event.
        case wait(Duration)
        case end
    }

    /// The breaker's generation when a lane was leased.
    struct Generation: Hashable {
        fileprivate let number: Int
    }

    private(set) var admissions: [String: DestinationAdmission] = [:]
    private let width: Int
    private let probes: Backoff
    /// A random addition to the pause that a receiver asks for.
    private let jitter: Backoff
    private let longestHold: Duration
    private var storeFailures = 0
    private var storeUntil: Uptime?
    private var isDueKnown = false
    private var nextDue: WallTime?
    /// The next reported due time, kept across ``wake()``.
    ///
    /// While a breaker is open no lease finds that entry, so the time must outlast a wake.
    private var trialDue: WallTime?
    /// The next reported end of a lease, by the engine's clock.
    ///
    /// It is kept across ``wake()`` for the same reason as ``trialDue``.
    private var leaseEnds: Uptime?
    /// The time of the first lease or question since the last accepted answer.
    ///
    /// No answer has reported a delivery that becomes due after it. It is nil if there was none.
    private var openSince: WallTime?
    /// When the schedule asks the journal again, regardless of wall clock and notifications.
    private var askAgainAt: Uptime?
    var isStarted = false
    var isClosed = false
    var drains = 0

    private static let pages = 8...64
    /// The longest time between two questions to the journal.
    static let longestWait = Duration.seconds(300)

    /// - Parameters:
    ///   - width: the most requests in flight to each destination.
    ///   - probes: the backoff of probes to a destination that takes no requests.
    ///   - jitter: a random addition to the pause that a receiver asks for.
    ///   - longestHold: the longest pause that a receiver is granted.
    init(
        width: Int, probes: Backoff, jitter: Backoff = Backoff(base: .zero, cap: .zero),
        longestHold: Duration = .seconds(24 * 3_600)
    ) {
        self.width = width
        self.probes = probes
        self.jitter = jitter
        self.longestHold = longestHold
    }

    mutating func next(at now: ClockReading) -> Step {
        // A loop that has no drain left still finishes the leased lanes.
        if isClosed || !(isStarted || drains > 0 || isBusy) { return .end }
        // The store is not asked while its backoff lasts.
        if let storeUntil, !storeUntil.hasCome(by: now.uptime) { return .wait(storeUntil.remaining(at: now.uptime)) }
        storeUntil = nil
        for name in admissions.keys {
            let endsHold = admissions[name]?.endHold(at: now.uptime) == true
            // A destination that takes requests again may have entries that the last question left
            // out.
            if admissions[name]?.probe(at: now.uptime) == true || endsHold { isDueKnown = false }
            if let permits = admissions[name]?.releaseSlow(at: now.uptime), permits > 0 {
                // The engine releases them and calls again, so the remaining names are not
                // forgotten.
                return .releasePermits(name, permits)
            }
        }
        // While a breaker is open no lease finds this entry, so untried lanes are looked for
        // instead.
        if let time = trialDue, time <= now.wall {
            trialDue = nil
            for name in admissions.keys { admissions[name]?.lookForUntried() }
        }
        // A lease has run out, such as that of a stopped process. Its lane may be untried here.
        if leaseEnds?.hasCome(by: now.uptime) == true {
            leaseEnds = nil
            for name in admissions.keys { admissions[name]?.lookForUntried() }
        }
        // By the wall clock or by uptime, if either has come: the wall clock may have been set
        // back.
        if nextDue.map({ $0 <= now.wall }) == true || askAgainAt?.hasCome(by: now.uptime) == true {
            for name in admissions.keys { admissions[name]?.lookForUntried() }
            wake()
        }
        // An engine that only finishes its lanes leases nothing new.
        guard takesMore else { return .wait(Self.longestWait) }
        // Sorted, so that equal states take equal steps.
        let names = admissions.keys.sorted()
        for name in names {
            guard let admission = admissions[name], admission.mayHaveMore else { continue }
            let free = admission.freeCount(at: now.uptime)
            guard free > 0 else { continue }
            // Cleared before the lease, and not after it. An entry that arrives while the journal
            // is asked sets it again.
            admissions[name]?.mayHaveMore = false
            openSince = min(openSince ?? now.wall, now.wall)
            return .lease(name, lanes: free)
        }
        for name in names where admissions[name]?.trial(at: now.uptime)?.hasCome(by: now.uptime) == true {
            admissions[name]?.beginTrial(at: now.uptime)
            return .tryUntried(name)
        }
        guard isDueKnown else {
            // Set before the question. An event while the journal is asked clears it, and `found`
            // then drops the old answer.
            (isDueKnown, nextDue) = (true, nil)
            // The engine asks with a later reading of its clock, and nextDue is forgotten.
            openSince = min(openSince ?? now.wall, now.wall)
            return .findNextDue(names)
        }
        return .wait(wait(at: now))
    }

    private mutating func wait(at now: ClockReading) -> Duration {
        var wait = Self.longestWait
        if let nextDue { wait = min(wait, nextDue - now.wall) }
        if let askAgainAt { wait = min(wait, askAgainAt.remaining(at: now.uptime)) }
        for (name, admission) in admissions {
            // The loop wakes for the next slow request by itself, so lanes that begin later need
            // not signal.
            admissions[name]?.isSlowAwaited = admission.nextSlow != nil
            let times = [admission.nextProbe, admission.nextEnd, admission.trial(at: now.uptime), admission.nextSlow]
            for until in times.compactMap(\.self) {
                wait = min(wait, until.remaining(at: now.uptime))
            }
        }
        return wait
    }

    /// Whether lanes may be leased. Otherwise the leased ones are only finished.
    var takesMore: Bool { !isClosed && (isStarted || drains > 0) }

    /// Whether lanes are leased.
    var isBusy: Bool { admissions.values.contains { $0.lanes > 0 } }

    /// Whether no lane is leased, and none can be leased now.
    func isDrained(at now: Uptime) -> Bool {
        admissions.values.allSatisfy {
            $0.lanes == 0 && !($0.mayHaveMore && ($0.freeCount(at: now) > 0 || $0.isOnlyRateLimited))
        }
    }

    /// Whether a receiver keeps due entries from being attempted now.
    var isHeldBack: Bool { admissions.values.contains(where: \.isHeldBack) }

    // MARK: What has happened

    /// Adds a destination, or replaces the one of the same name.
    ///
    /// - Parameters:
    ///   - concurrency: the most requests in flight; nil for the engine's `width`.
    ///   - rate: how many requests may be sent in an interval; nil for any number.
    mutating func register(_ name: String, concurrency: Int? = nil, rate: RateLimit? = nil) {
        if admissions[name] == nil {
            admissions[name] = DestinationAdmission(
                concurrency: concurrency ?? width, rate: rate, longestHold: longestHold)
        }
        // The new destination may be reachable although the old one was not.
        admissions[name]?.closeBreaker()
        wake()
    }

    /// Records that something may have become due.
    mutating func wake() {
        for name in admissions.keys { admissions[name]?.mayHaveMore = true }
        // All answers of the journal are void. The next steps lease and ask again, and read
        // the clock.
        (isDueKnown, nextDue, askAgainAt, openSince) = (false, nil, nil, nil)
    }

    /// Records a person's decision, which may make entries due.
    ///
    /// A lease does not find them while the breaker is open, so untried lanes are looked for as
    /// well.
    mutating func recordDecision() {
        for name in admissions.keys { admissions[name]?.lookForUntried() }
        wake()
    }

    /// Closes all breakers: the app wants everything tried at once.
    mutating func closeBreakers() {
        for name in admissions.keys { admissions[name]?.closeBreaker() }
        storeUntil = nil
        wake()
    }

    /// Closes the breakers that opened for lack of a network.
    mutating func recordNetworkReturn() {
        for name in admissions.keys { admissions[name]?.recordNetworkReturn() }
        storeUntil = nil
        wake()
    }

    mutating func recordLease(_ lanes: Int, of name: String, asked: Int, weight: Int = 0) {
        (storeFailures, storeUntil) = (0, nil)
        admissions[name]?.addLanes(lanes, weight: weight, isAll: lanes == asked)
    }

    /// The most entries of each lane in the next lease. Many lanes get small pages, to bound
    /// memory.
    func page(of name: String) -> Int {
        guard let admission = admissions[name], admission.lanes < admission.concurrency.most else {
            return Self.pages.lowerBound
        }
        return min(max(1_024 / admission.concurrency.most, Self.pages.lowerBound), Self.pages.upperBound)
    }

    /// Records that a lane waits for a permit of the destination.
    mutating func acquirePermit(_ name: String) { admissions[name]?.acquirePermit() }

    /// Whether a lane may send a request now. If not, the lane is released.
    mutating func beginRequest(_ lease: Lease, at now: Uptime) -> Bool {
        admissions[lease.lane.destination]?.beginRequest(lease.number, at: now) == true
    }

    /// Whether the engine's alarm has to be set for the next slow request.
    func needsAlarm(_ name: String) -> Bool {
        admissions[name].map { !$0.isSlowAwaited && $0.nextSlow != nil } == true
    }

    /// Gives up a lane's permit, because its answer came or it does not continue.
    ///
    /// - Parameters:
    ///   - request: the number of its lease.
    ///   - hasPermit: whether it got one.
    ///   - hasSucceeded: whether the receiver has served it.
    /// - Returns: the number of permits to release, and whether another lane may be leased for
    ///   them.
    mutating func releasePermit(
        _ name: String, _ request: Int64 = 0, hasPermit: Bool = true, hasSucceeded: Bool = true, at now: Uptime
    ) -> (permits: Int, isWanted: Bool) {
        let permits =
            admissions[name]?.releasePermit(request, hasPermit: hasPermit, hasSucceeded: hasSucceeded, at: now) ?? 0
        return (permits, admissions[name].map { $0.mayHaveMore && $0.freeCount(at: now) > 0 } == true)
    }

    /// The lanes of a destination that are known to be unreachable.
    func tried(of name: String) -> Set<String> { admissions[name]?.tried ?? [] }

    /// Records that an untried lane was leased, or that the lease failed.
    ///
    /// Others may be due, so the schedule looks again.
    mutating func lookForUntried(of name: String) { admissions[name]?.lookForUntried() }

    /// Returns the time after which the next due delivery is looked for.
    ///
    /// The lease and the question read the clock one after the other. A delivery that becomes due
    /// between the two readings is not due for the lease. To the question it is due already, so the
    /// answer leaves it out. It would wait for a notification, or for ``longestWait``. So the
    /// question is about the time after the first of the readings.
    func nextDueStart(at now: ClockReading) -> WallTime { min(openSince ?? now.wall, now.wall) }

    /// Takes the answer of a journal.
    ///
    /// If something has happened since the question, the answer is not kept, and the journal is
    /// asked again.
    ///
    /// - Parameters:
    ///   - now: when the journal was asked. From then on the schedule waits for the next time by
    ///     uptime: the wall clock may be set back.
    ///   - answered: when the answer was there. From then on the schedule waits for the end of a
    ///     lease. The store has read its clock by then. Counted from `now`, the wait would end
    ///     before the lease. The lease could then run out after the schedule looked for due lanes
    ///     and before it asks again. Neither would find the lane.
    mutating func recordNextDue(_ next: NextDue, at now: ClockReading, answered: Uptime) {
        (storeFailures, storeUntil) = (0, nil)
        trialDue = [trialDue, next.time].compactMap(\.self).min()
        let leaseEnd = next.leaseEndsAfter.map { answered + $0 }
        leaseEnds = earliest(leaseEnds, leaseEnd)
        // Something has happened since the question, so the answer may lack it.
        guard isDueKnown else { return }
        nextDue = next.time
        openSince = nil
        let pause = min(Self.longestWait, next.time.map { $0 - now.wall } ?? Self.longestWait)
        askAgainAt = earliest(now.uptime + pause, leaseEnd)
    }

    private func earliest(_ first: Uptime?, _ second: Uptime?) -> Uptime? {
        guard let first, let second else { return first ?? second }
        return first.nanoseconds < second.nanoseconds ? first : second
    }

    mutating func recordStoreFailure(at now: Uptime, using random: inout some RandomNumberGenerator) {
        storeFailures += 1
        storeUntil = now + Backoff.store.delay(afterFailures: storeFailures, using: &random)
        wake()
    }

    /// Removes a lane that has given up its permit.
    ///
    /// - Parameter weight: the weight with which it was leased.
    mutating func endLane(_ name: String, weight: Int = 0) {
        admissions[name]?.removeLane(weight: weight)
        // The settled entry may have blocked entries of other destinations. If its own destination
        // has an open breaker, nothing was settled there.
        for other in admissions.keys where other != name { admissions[other]?.lookForUntried() }
        wake()
    }

    func generation(of name: String) -> Generation { Generation(number: admissions[name]?.generation ?? 0) }

    /// Whether a lane that was leased in this generation continues.
    ///
    /// - Parameter isFirst: the lane has attempted nothing yet. It may then send a request although
    ///   another lane was not reached: that may be the other's own fault.
    func mayContinue(_ generation: Generation, for name: String, isFirst: Bool = false) -> Bool {
        guard !isClosed, let admission = admissions[name], !admission.isHeld else { return false }
        return generation.number == admission.generation || isFirst && admission.takesFirst
    }

    /// Records a new entry in a lane.
    mutating func recordEntry(in lane: String, of name: String) { admissions[name]?.recordEntry(in: lane) }

    /// How often lanes were answered and served before an attempt.
    struct SuccessCounts {
        var answers = 0
        var served = 0
    }

    func successCounts(_ name: String) -> SuccessCounts {
        admissions[name].map { SuccessCounts(answers: $0.reaching.successes, served: $0.serving.successes) }
            ?? SuccessCounts()
    }

    /// Records that a lane has reached the receiver.
    ///
    /// - Parameter isServed: whether the receiver has decided about its entry.
    /// - Returns: whether more lanes may be leased from now on.
    mutating func recordReached(_ name: String, lane: String, isServed: Bool = true) -> Bool {
        let takesMore = isServed ? admissions[name]?.recordServed(lane) : admissions[name]?.recordReached(lane)
        guard takesMore == true else { return false }
        isDueKnown = false
        return true
    }

    /// Whether a lane was not reached while others were.
    ///
    /// - Parameter answers: the number of answers when its attempt began.
    mutating func recordUnreached(_ name: String, lane: String, since answers: Int) -> Bool {
        admissions[name]?.recordUnreached(lane, since: answers) == true
    }

    /// Records that no lane was reached in a generation.
    ///
    /// - Returns: whether the breaker opened now.
    @discardableResult
    mutating func recordOffline(
        _ name: String, _ generation: Generation, isOnline: Bool?, at now: Uptime,
        using random: inout some RandomNumberGenerator
    ) -> Bool {
        isDueKnown = false
        return admissions[name]?.openBreaker(
            .offline, generation.number, isOnline: isOnline, probes, at: now, using: &random)
            == true
    }

    /// Whether a lane was refused for its credential while others were served.
    mutating func recordRefusal(_ name: String, lane: String, since served: Int) -> Bool {
        admissions[name]?.recordRefusal(lane, since: served) == true
    }

    /// Records that the receiver refuses the app's credential.
    ///
    /// - Returns: whether the breaker opened now.
    mutating func recordUnauthenticated(
        _ name: String, _ generation: Generation, at now: Uptime, using random: inout some RandomNumberGenerator
    ) -> Bool {
        isDueKnown = false
        return admissions[name]?.openBreaker(
            .unauthenticated, generation.number, isOnline: nil, probes, at: now, using: &random) == true
    }

    /// Records that the receiver could not serve a lane.
    ///
    /// - Parameters:
    ///   - after: how long the receiver wants no request.
    ///   - served: how often lanes were served before the attempt.
    ///   - request: the number of the lane's lease.
    /// - Returns: whether the breaker opened or a hold began now.
    mutating func recordFailure(
        _ name: String, lane: String, _ request: Int64, _ generation: Generation, after: Duration?, since served: Int,
        at now: Uptime, using random: inout some RandomNumberGenerator
    ) -> Bool {
        let wasHeld = admissions[name]?.heldUntil != nil
        if let after { admissions[name]?.limit(for: after, jitter: jitter, at: now, using: &random) }
        isDueKnown = false
        guard
            admissions[name]?.recordFailure(lane, request, since: served, in: generation.number, at: now) == true
        else { return after != nil && !wasHeld }
        return admissions[name]?.openBreaker(
            .failing, generation.number, isOnline: nil, probes, at: now, using: &random)
            == true
    }

    /// Records that the receiver wants fewer requests.
    ///
    /// - Parameter after: the pause that it asked for; nil if it named none.
    /// - Returns: whether a hold began now.
    mutating func recordRateLimit(
        _ name: String, _ request: Int64, after: Duration?, at now: Uptime,
        using random: inout some RandomNumberGenerator
    ) -> Bool {
        let wasHeld = admissions[name]?.heldUntil != nil
        admissions[name]?.recordCongestion(request, at: now)
        admissions[name]?.limit(for: after, jitter: after == nil ? probes : jitter, at: now, using: &random)
        isDueKnown = false
        return !wasHeld
    }

    /// Holds a destination whose quota is used up, which is no sign of congestion.
    mutating func recordQuotaExhausted(
        _ name: String, for pause: Duration, at now: Uptime, using random: inout some RandomNumberGenerator
    ) {
        admissions[name]?.hold(for: pause + jitter.delay(afterFailures: 1, using: &random), at: now)
        isDueKnown = false
    }

    /// Tries at once the destinations that refused the old credential.
    mutating func credentialChanged() {
        for name in admissions.keys { admissions[name]?.credentialChanged() }
        recordDecision()
    }
}
