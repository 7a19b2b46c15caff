internal import WharfCore
internal import WharfPrimitives

/// When an engine looks into the journal and for which destinations, and when it wakes: a value without clock, tasks or store.
///
/// Whatever happens is told to it; ``next(at:)`` says what to do now.
struct Schedule {
    enum Step: Equatable {
        /// Lease at most so many lanes of a destination, and tell what came of it:
        /// ``leased(_:of:asked:weight:)``.
        case lease(String, lanes: Int)
        /// Lease one lane of a destination to which there is no way, but not those that are known to be out of reach:
        /// ``tried(of:)``. Tell of it by ``leased(_:of:asked:weight:)`` and ``foundUntried(of:)``.
        case tryUntried(String)
        /// Ask the journal when something is due at these, after ``timeOfQuestion(at:)``, and tell
        /// it: ``found(_:at:answered:)``.
        case findNextDue([String])
        /// Nothing is to be done for so long, or until something happens.
        case rest(Duration)
        case end
    }

    /// The circumstances under which a lane was leased.
    struct Pass: Hashable {
        fileprivate let generation: Int
        fileprivate let pauses: Int
    }

    private(set) var reaches: [String: Reach] = [:]
    private let width: Int
    private let probes: Backoff
    private var storeFailures = 0
    private var storeUntil: Uptime?
    private var pauses = 0
    /// Those that the journal does not know yet: it would go on handing out lanes of the account.
    private var pausing = 0
    private var isDueKnown = false
    private var nextDue: WallTime?
    /// When something is due that was told of, also where ``wake()`` has come since: no lease finds it while the way is closed.
    private var trialDue: WallTime?
    /// When the next lease runs out that was told of, by the engine's clock. Kept as ``trialDue`` is.
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
    ///   - width: deliveries under way at one time, of each destination.
    ///   - probes: the pauses after which a destination that could not be reached is tried again.
    init(width: Int, probes: Backoff) {
        self.width = width
        self.probes = probes
    }

    mutating func next(at now: Moment) -> Step {
        if isClosed || !(isStarted || drains > 0 || isBusy) { return .end }
        if let storeUntil, !storeUntil.hasCome(by: now.uptime) { return .rest(storeUntil.remaining(at: now.uptime)) }
        storeUntil = nil
        for name in reaches.keys where reaches[name]?.probe(at: now.uptime) == true { isDueKnown = false }
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
        guard takesMore, pausing == 0 else { return .rest(Self.longestRest) }
        let names = reaches.keys.sorted()
        for name in names {
            guard let reach = reaches[name], reach.mayHaveMore, reach.free > 0 else { continue }
            reaches[name]?.mayHaveMore = false
            openSince = min(openSince ?? now.wall, now.wall)
            return .lease(name, lanes: reach.free)
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

    private func rest(at now: Moment) -> Duration {
        var rest = Self.longestRest
        if let nextDue { rest = min(rest, nextDue - now.wall) }
        if let asksAgain { rest = min(rest, asksAgain.remaining(at: now.uptime)) }
        for reach in reaches.values {
            for until in [reach.closedUntil, reach.trial(at: now.uptime)].compactMap(\.self) {
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
    var isDry: Bool { reaches.values.allSatisfy { $0.lanes == 0 && !($0.mayHaveMore && $0.free > 0) } }

    // MARK: What has happened

    mutating func register(_ name: String) {
        if reaches[name] == nil { reaches[name] = Reach(seats: width) }
        // Another in its place may be reached where it was not.
        reaches[name]?.open()
        wake()
    }

    /// Something may have become due.
    mutating func wake() {
        for name in reaches.keys { reaches[name]?.mayHaveMore = true }
        (isDueKnown, nextDue, asksAgain, openSince) = (false, nil, nil, nil)
    }

    /// Somebody has decided something: it may be due also where no lease finds it, as there is no way.
    mutating func decided() {
        for name in reaches.keys { reaches[name]?.becameDue() }
        wake()
    }

    /// The network is there again, or somebody wants it tried at once.
    mutating func open() {
        for name in reaches.keys { reaches[name]?.open() }
        storeUntil = nil
        wake()
    }

    mutating func leased(_ lanes: Int, of name: String, asked: Int, weight: Int = 0) {
        (storeFailures, storeUntil) = (0, nil)
        reaches[name]?.take(lanes, weight: weight, isAll: lanes == asked)
    }

    /// At most so many entries of each lane that is leased now. Where lanes are many, little of each is in memory.
    func page(of name: String) -> Int {
        guard let reach = reaches[name], reach.lanes < reach.seats else { return Self.pages.lowerBound }
        return min(max(1_024 / reach.seats, Self.pages.lowerBound), Self.pages.upperBound)
    }

    /// A lane is on its way to the destination.
    mutating func sitsDown(_ name: String) { reaches[name]?.sit() }

    /// A lane has its answer, or goes no further, and needs its place at the destination no more.
    ///
    /// - Returns: whether there is something to lease for who takes it.
    mutating func standsUp(_ name: String) -> Bool {
        reaches[name]?.stand()
        return reaches[name].map { $0.mayHaveMore && $0.free > 0 } == true
    }

    /// Lanes that are known to be out of reach.
    func tried(of name: String) -> Set<String> { reaches[name]?.tried ?? [] }

    /// One that is not known to be out of reach is under way, or could not be looked for: there may be others.
    mutating func foundUntried(of name: String) { reaches[name]?.becameDue() }

    /// Tells after which time the next delivery is to be looked for.
    ///
    /// The lease and the question read the clock one after the other. A delivery that becomes due
    /// between the two readings is not due for the lease. To the question it is due already, so the
    /// answer leaves it out. It would wait for news, or for ``longestRest``. So the question is about
    /// the time after the first of the readings.
    func timeOfQuestion(at now: Moment) -> WallTime { min(openSince ?? now.wall, now.wall) }

    /// Takes the answer of a journal.
    ///
    /// If something has happened since the question, the answer is not kept, and the journal is
    /// asked again.
    ///
    /// - Parameters:
    ///   - now: when the journal was asked. From then on the schedule waits for the next time by
    ///     uptime: the wall clock may be set back.
    ///   - answered: when the answer was there. From then on the schedule waits for the end of a lease.
    ///     The store has read its clock by then. Counted from `now`, the wait would end before the
    ///     lease, and the lease could run out after the schedule has looked for due lanes and before
    ///     it asks again. Neither would find the lane.
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
        // What was settled may have been in the way of others, at any destination. Where there is no way to its own, nothing was.
        for other in reaches.keys where other != name { reaches[other]?.becameDue() }
        wake()
    }

    func pass(for name: String) -> Pass { Pass(generation: reaches[name]?.generation ?? 0, pauses: pauses) }

    /// Whether a lane that was leased under this pass goes on: there is a way to the destination, and the account is not paused.
    ///
    /// - Parameter isFirst: it has attempted nothing yet. It may then although another was not reached: that may be the other's
    ///   own fault.
    func holds(_ pass: Pass, for name: String, isFirst: Bool = false) -> Bool {
        !isClosed && pass.pauses == pauses && (isFirst || pass.generation == self.pass(for: name).generation)
    }

    /// Something has come to a lane.
    mutating func came(to lane: String, of name: String) { reaches[name]?.came(to: lane) }

    /// How often somebody has answered.
    func answers(of name: String) -> Int { reaches[name]?.answers ?? 0 }

    /// Somebody of a lane has answered.
    ///
    /// - Returns: whether the way was closed until now.
    mutating func reached(_ name: String, lane: String) -> Bool {
        guard reaches[name]?.reached(lane) == true else { return false }
        isDueKnown = false
        return true
    }

    /// Whether a lane was not reached while others were.
    ///
    /// - Parameter answers: those when its attempt began.
    mutating func isAlone(_ name: String, lane: String, since answers: Int) -> Bool {
        reaches[name]?.isAlone(lane, since: answers) == true
    }

    /// Nobody was reached under a pass.
    mutating func offline(
        _ name: String, _ pass: Pass, isOnline: Bool?, at now: Uptime, using random: inout some RandomNumberGenerator
    ) {
        reaches[name]?.close(pass.generation, isOnline: isOnline, probes, at: now, using: &random)
        isDueKnown = false
    }

    /// Nothing more of the account is delivered by who holds lanes already, and none is leased until ``pauseIsKept()``: from then on
    /// the journal leases no more by itself.
    mutating func paused() {
        pauses += 1
        pausing += 1
    }

    /// The commit with a pause has ended, in either way.
    mutating func pauseIsKept() { pausing -= 1 }
}
