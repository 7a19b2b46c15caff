internal import WharfCore
internal import WharfPrimitives

/// When an engine looks into the journal and for which destinations, and when it wakes: a value
/// without clock, tasks or store.
///
/// Whatever happens is told to it; ``next(at:)`` says what to do now.
struct Schedule {
    enum Step: Equatable {
        /// Lease at most so many lanes of a destination, and tell what came of it:
        /// ``leased(_:of:asked:weight:)``.
        case lease(String, lanes: Int)
        /// Lease one lane of a destination to which there is no way, but not those that are known
        /// to be out of reach: ``tried(of:)``. Tell of it by ``leased(_:of:asked:weight:)`` and
        /// ``foundUntried(of:)``.
        case tryUntried(String)
        /// Ask the journal when something is due at these, after ``timeOfQuestion(at:)``, and tell
        /// it: ``found(_:at:answered:)``.
        case findNextDue([String])
        /// Release so many permits of a destination, which slow requests hold.
        case releasePermits(String, Int)
        /// Nothing is to be done for so long, or until something happens.
        case rest(Duration)
        case end
    }

    /// The circumstances under which a lane was leased.
    struct Pass: Hashable {
        fileprivate let generation: Int
    }

    private(set) var reaches: [String: Reach] = [:]
    private let width: Int
    private let probes: Backoff
    /// Added to the pause that a receiver asks for.
    private let jitter: Backoff
    private let longestHold: Duration
    private var storeFailures = 0
    private var storeUntil: Uptime?
    private var isDueKnown = false
    private var nextDue: WallTime?
    /// When something is due that was told of, also where ``wake()`` has come since: no lease finds
    /// it while the way is closed.
    private var trialDue: WallTime?
    /// When the next lease runs out that was told of, by the engine's clock. Kept as ``trialDue``
    /// is.
    private var leaseEnds: Uptime?
    /// The time of the first lease or question since the last answer that was kept.
    ///
    /// No answer has told of a delivery that becomes due after it. nil if there was none.
    private var openSince: WallTime?
    /// When it asks the journal again, whatever clocks and news say.
    private var asksAgain: Uptime?
    var isStarted = false
    var isClosed = false
    var drains = 0

    private static let pages = 8...64
    /// It asks again after this at the latest.
    static let longestRest = Duration.seconds(300)

    /// - Parameters:
    ///   - width: requests in flight at one time, of each destination.
    ///   - probes: the pauses after which a destination that took no requests is tried again.
    ///   - jitter: what is added to the pause that a receiver asks for.
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

    mutating func next(at now: Moment) -> Step {
        if isClosed || !(isStarted || drains > 0 || isBusy) { return .end }
        if let storeUntil, !storeUntil.hasCome(by: now.uptime) { return .rest(storeUntil.remaining(at: now.uptime)) }
        storeUntil = nil
        for name in reaches.keys {
            let endsHold = reaches[name]?.endHold(at: now.uptime) == true
            if reaches[name]?.probe(at: now.uptime) == true || endsHold { isDueKnown = false }
            if let permits = reaches[name]?.releaseSlow(at: now.uptime), permits > 0 {
                return .releasePermits(name, permits)
            }
        }
        if let time = trialDue, time <= now.wall {
            trialDue = nil
            for name in reaches.keys { reaches[name]?.becameDue() }
        }
        if leaseEnds?.hasCome(by: now.uptime) == true {
            leaseEnds = nil
            for name in reaches.keys { reaches[name]?.becameDue() }
        }
        if nextDue.map({ $0 <= now.wall }) == true || asksAgain?.hasCome(by: now.uptime) == true {
            for name in reaches.keys { reaches[name]?.becameDue() }
            wake()
        }
        // Those who only end what they have begun take nothing new.
        guard takesMore else { return .rest(Self.longestRest) }
        let names = reaches.keys.sorted()
        for name in names {
            guard let reach = reaches[name], reach.mayHaveMore else { continue }
            let free = reach.free(at: now.uptime)
            guard free > 0 else { continue }
            reaches[name]?.mayHaveMore = false
            openSince = min(openSince ?? now.wall, now.wall)
            return .lease(name, lanes: free)
        }
        for name in names where reaches[name]?.trial(at: now.uptime)?.hasCome(by: now.uptime) == true {
            reaches[name]?.beginTrial(at: now.uptime)
            return .tryUntried(name)
        }
        guard isDueKnown else {
            (isDueKnown, nextDue) = (true, nil)
            // The engine asks with a later reading of its clock, and nextDue is forgotten.
            openSince = min(openSince ?? now.wall, now.wall)
            return .findNextDue(names)
        }
        return .rest(rest(at: now))
    }

    private mutating func rest(at now: Moment) -> Duration {
        var rest = Self.longestRest
        if let nextDue { rest = min(rest, nextDue - now.wall) }
        if let asksAgain { rest = min(rest, asksAgain.remaining(at: now.uptime)) }
        for (name, reach) in reaches {
            reaches[name]?.isSlowAwaited = reach.nextSlow != nil
            let times = [reach.closedUntil, reach.nextEnd, reach.trial(at: now.uptime), reach.nextSlow]
            for until in times.compactMap(\.self) {
                rest = min(rest, until.remaining(at: now.uptime))
            }
        }
        return rest
    }

    /// Whether lanes may be begun. Otherwise those that are under way end.
    var takesMore: Bool { !isClosed && (isStarted || drains > 0) }

    /// Whether lanes are under way.
    var isBusy: Bool { reaches.values.contains { $0.lanes > 0 } }

    /// Whether nothing is under way, and nothing more can be leased now.
    func isDry(at now: Uptime) -> Bool {
        reaches.values.allSatisfy { $0.lanes == 0 && !($0.mayHaveMore && ($0.free(at: now) > 0 || $0.isOnlySpent)) }
    }

    /// Whether a receiver keeps entries that are due from being attempted now.
    var isHeldBack: Bool { reaches.values.contains(where: \.isHeldBack) }

    // MARK: What has happened

    /// - Parameters:
    ///   - concurrency: requests in flight at one time; nil for that of all destinations.
    ///   - rate: how many requests may be sent in an interval; nil for any number.
    mutating func register(_ name: String, concurrency: Int? = nil, rate: RateLimit? = nil) {
        if reaches[name] == nil {
            reaches[name] = Reach(concurrency: concurrency ?? width, rate: rate, longestHold: longestHold)
        }
        // Another in its place may be reached where it was not.
        reaches[name]?.open()
        wake()
    }

    /// Something may have become due.
    mutating func wake() {
        for name in reaches.keys { reaches[name]?.mayHaveMore = true }
        (isDueKnown, nextDue, asksAgain, openSince) = (false, nil, nil, nil)
    }

    /// Somebody has decided something: it may be due also where no lease finds it, as there is no
    /// way.
    mutating func decided() {
        for name in reaches.keys { reaches[name]?.becameDue() }
        wake()
    }

    /// The app wants everything tried at once.
    mutating func open() {
        for name in reaches.keys { reaches[name]?.open() }
        storeUntil = nil
        wake()
    }

    /// There is a network again.
    mutating func networkIsBack() {
        for name in reaches.keys { reaches[name]?.networkIsBack() }
        storeUntil = nil
        wake()
    }

    mutating func leased(_ lanes: Int, of name: String, asked: Int, weight: Int = 0) {
        (storeFailures, storeUntil) = (0, nil)
        reaches[name]?.take(lanes, weight: weight, isAll: lanes == asked)
    }

    /// At most so many entries of each lane that is leased now. Where lanes are many, little of
    /// each is in memory.
    func page(of name: String) -> Int {
        guard let reach = reaches[name], reach.lanes < reach.concurrency.most else { return Self.pages.lowerBound }
        return min(max(1_024 / reach.concurrency.most, Self.pages.lowerBound), Self.pages.upperBound)
    }

    /// A lane is on its way to the destination.
    mutating func sitsDown(_ name: String) { reaches[name]?.sit() }

    /// Whether a lane may send a request now. If not, it gives itself back.
    mutating func begins(_ lease: Lease, at now: Uptime) -> Bool {
        reaches[lease.lane.destination]?.begin(lease.number, at: now) == true
    }

    /// Whether the engine has to look when requests become slow, and does not know that yet.
    func needsLook(_ name: String) -> Bool {
        reaches[name].map { !$0.isSlowAwaited && $0.nextSlow != nil } == true
    }

    /// A lane has its answer, or goes no further, and needs no permit any more.
    ///
    /// - Parameters:
    ///   - request: the number of its lease.
    ///   - hasPermit: whether it got one.
    ///   - hasSucceeded: whether the receiver has served it.
    /// - Returns: how many permits are to be released, and whether there is something to lease for
    ///   the lane that gets one.
    mutating func standsUp(
        _ name: String, _ request: Int64 = 0, hasPermit: Bool = true, hasSucceeded: Bool = true, at now: Uptime
    ) -> (permits: Int, isWanted: Bool) {
        let permits = reaches[name]?.stand(request, hasPermit: hasPermit, hasSucceeded: hasSucceeded, at: now) ?? 0
        return (permits, reaches[name].map { $0.mayHaveMore && $0.free(at: now) > 0 } == true)
    }

    /// Lanes that are known to be out of reach.
    func tried(of name: String) -> Set<String> { reaches[name]?.tried ?? [] }

    /// One that is not known to be out of reach is under way, or could not be looked for: there may
    /// be others.
    mutating func foundUntried(of name: String) { reaches[name]?.becameDue() }

    /// Tells after which time the next delivery is to be looked for.
    ///
    /// The lease and the question read the clock one after the other. A delivery that becomes due
    /// between the two readings is not due for the lease. To the question it is due already, so the
    /// answer leaves it out. It would wait for news, or for ``longestRest``. So the question is
    /// about the time after the first of the readings.
    func timeOfQuestion(at now: Moment) -> WallTime { min(openSince ?? now.wall, now.wall) }

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
    ///     before the lease, and the lease could run out after the schedule has looked for due
    ///     lanes and before it asks again. Neither would find the lane.
    mutating func found(_ next: NextDue, at now: Moment, answered: Uptime) {
        (storeFailures, storeUntil) = (0, nil)
        trialDue = [trialDue, next.time].compactMap(\.self).min()
        let leaseEnd = next.leaseEndsAfter.map { answered + $0 }
        leaseEnds = earliest(leaseEnds, leaseEnd)
        guard isDueKnown else { return }
        nextDue = next.time
        openSince = nil
        let pause = min(Self.longestRest, next.time.map { $0 - now.wall } ?? Self.longestRest)
        asksAgain = earliest(now.uptime + pause, leaseEnd)
    }

    private func earliest(_ first: Uptime?, _ second: Uptime?) -> Uptime? {
        guard let first, let second else { return first ?? second }
        return first.nanoseconds < second.nanoseconds ? first : second
    }

    mutating func storeFailed(at now: Uptime, using random: inout some RandomNumberGenerator) {
        storeFailures += 1
        storeUntil = now + Backoff.store.delay(afterFailures: storeFailures, using: &random)
        wake()
    }

    /// A lane that has stood up.
    ///
    /// - Parameter weight: with which it was leased.
    mutating func ended(_ name: String, weight: Int = 0) {
        reaches[name]?.leave(weight: weight)
        // What was settled may have been in the way of others, at any destination. Where there is
        // no way to its own, nothing was.
        for other in reaches.keys where other != name { reaches[other]?.becameDue() }
        wake()
    }

    func pass(for name: String) -> Pass { Pass(generation: reaches[name]?.generation ?? 0) }

    /// Whether a lane that was leased under this pass goes on: the destination takes requests.
    ///
    /// - Parameter isFirst: it has attempted nothing yet. It may then although another was not
    ///   reached: that may be the other's own fault.
    func holds(_ pass: Pass, for name: String, isFirst: Bool = false) -> Bool {
        guard !isClosed, let reach = reaches[name], !reach.isHeld else { return false }
        return pass.generation == reach.generation || isFirst && reach.takesFirst
    }

    /// Something has come to a lane.
    mutating func came(to lane: String, of name: String) { reaches[name]?.came(to: lane) }

    /// How often lanes were answered and served before an attempt.
    struct Before {
        var answers = 0
        var served = 0
    }

    func before(_ name: String) -> Before {
        reaches[name].map { Before(answers: $0.reaching.successes, served: $0.serving.successes) } ?? Before()
    }

    /// A lane has reached the receiver.
    ///
    /// - Parameter isServed: whether the receiver has decided about its entry.
    /// - Returns: whether more may be leased from now on.
    mutating func reached(_ name: String, lane: String, isServed: Bool = true) -> Bool {
        let takesMore = isServed ? reaches[name]?.served(lane) : reaches[name]?.reached(lane)
        guard takesMore == true else { return false }
        isDueKnown = false
        return true
    }

    /// Whether a lane was not reached while others were.
    ///
    /// - Parameter answers: those when its attempt began.
    mutating func isAlone(_ name: String, lane: String, since answers: Int) -> Bool {
        reaches[name]?.isAlone(lane, since: answers) == true
    }

    /// No lane was reached under a pass.
    ///
    /// - Returns: whether nothing is sent from now on that was before.
    @discardableResult
    mutating func offline(
        _ name: String, _ pass: Pass, isOnline: Bool?, at now: Uptime, using random: inout some RandomNumberGenerator
    ) -> Bool {
        isDueKnown = false
        return reaches[name]?.close(.offline, pass.generation, isOnline: isOnline, probes, at: now, using: &random)
            == true
    }

    /// Whether a lane was refused for its credential while others were served.
    mutating func isRefusedAlone(_ name: String, lane: String, since served: Int) -> Bool {
        reaches[name]?.isRefusedAlone(lane, since: served) == true
    }

    /// The receiver does not take the credential of the app.
    ///
    /// - Returns: whether nothing is sent from now on that was before.
    mutating func unauthenticated(
        _ name: String, _ pass: Pass, at now: Uptime, using random: inout some RandomNumberGenerator
    ) -> Bool {
        isDueKnown = false
        return reaches[name]?.close(
            .unauthenticated, pass.generation, isOnline: nil, probes, at: now, using: &random) == true
    }

    /// The receiver could not serve a lane.
    ///
    /// - Parameters:
    ///   - after: how long it wants no request.
    ///   - served: how often lanes were served before the attempt.
    ///   - request: the number of the lane's lease.
    /// - Returns: whether nothing is sent from now on that was before.
    mutating func failing(
        _ name: String, lane: String, _ request: Int64, _ pass: Pass, after: Duration?, since served: Int,
        at now: Uptime, using random: inout some RandomNumberGenerator
    ) -> Bool {
        let wasHeld = reaches[name]?.heldUntil != nil
        if let after { reaches[name]?.limit(for: after, jitter: jitter, at: now, using: &random) }
        isDueKnown = false
        guard
            reaches[name]?.failed(lane, request, since: served, in: pass.generation, at: now) == true
        else { return after != nil && !wasHeld }
        return reaches[name]?.close(.failing, pass.generation, isOnline: nil, probes, at: now, using: &random) == true
    }

    /// The receiver wants fewer requests.
    ///
    /// - Parameter after: the pause that it asked for; nil if it named none.
    /// - Returns: whether nothing is sent from now on that was before.
    mutating func limited(
        _ name: String, _ request: Int64, after: Duration?, at now: Uptime,
        using random: inout some RandomNumberGenerator
    ) -> Bool {
        let wasHeld = reaches[name]?.heldUntil != nil
        reaches[name]?.congested(request, at: now)
        reaches[name]?.limit(for: after, jitter: after == nil ? probes : jitter, at: now, using: &random)
        isDueKnown = false
        return !wasHeld
    }

    /// The destination takes no more requests for a while, and shows no congestion: its quota is
    /// used up.
    mutating func quotaUsedUp(
        _ name: String, for pause: Duration, at now: Uptime, using random: inout some RandomNumberGenerator
    ) {
        reaches[name]?.hold(for: pause + jitter.delay(afterFailures: 1, using: &random), at: now)
        isDueKnown = false
    }

    /// The app has another credential: what was refused for the old one is tried at once.
    mutating func credentialChanged() {
        for name in reaches.keys { reaches[name]?.credentialChanged() }
        decided()
    }
}
