internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The requests in flight whose answers may be stored, and the equal requests that wait for them.
///
/// It implements collapsed requests (RFC 9111 §4): concurrent misses of one key send one request,
/// the leader. The others, its followers, wait until its answer is stored, and look it up.
///
/// - A follower waits only while it may use the answer. When the head arrives, the followers that
///   may not use it go on at once, each with a request of its own.
/// - If a leader fails, the first follower becomes the next leader. After ``failureLimit`` failures
///   of a flight all its followers go on: in a row, each would wait for the timeouts of all before
///   it.
/// - A cancelled leader is no failure of the origin, and neither is an invalidation. The first
///   follower becomes the next leader.
/// - A key whose last answer could not be used by an equal request collapses nothing. Otherwise
///   each read of such a resource would wait for the head of another read. An error status says
///   nothing about the next answer, and is not remembered.
final class CollapsedRequests: Sendable {
    /// The number of leaders of one flight that may fail before its followers go on.
    static let failureLimit = 2
    /// The number of keys that are remembered because they collapse nothing.
    static let unusableLimit = 1_024

    /// The part that a request takes in a flight.
    enum Role: Sendable {
        /// The request is sent, and others wait for it.
        case leader(Leader)
        /// The request waits.
        case follower(Follower)
        /// The request is sent, and takes no part.
        case alone
    }

    /// The end of a follower's wait.
    enum Outcome: Sendable {
        /// The leader's answer was stored.
        case stored
        /// The follower sends a request for which the others now wait.
        case lead(Leader)
        /// The follower can't use the leader's answer, and sends a request of its own.
        case alone
        case timedOut
        case cancelled
    }

    /// Returns whether a request may be answered with the response that a leader is storing.
    typealias Usability = @Sendable (RequestFacts) -> Bool

    struct Flight: Sendable {
        /// The serial of the leader.
        var leader: UInt64
        /// Whether the leader's body is read to its end even if its reader is slow.
        var readsToEnd: Bool
        /// Set when the leader's head has arrived.
        var usability: Usability?
        /// The followers in order of their arrival. Those whose wait has ended may still be listed.
        var followers: [Follower] = []
        /// The number of followers that wait.
        var waiting = 0
        var failures = 0
    }

    struct State: Sendable {
        // Invariants while the lock is free:
        // - A key has at most one flight, and a flight has one leader in flight. The step that ends
        //   a leader promotes a follower, or ends the flight with the waits of all followers. So no
        //   follower waits without a leader.
        // - A leader whose serial is not that of its key's flight has lost the flight. Its calls
        //   change nothing.
        // - A follower waits if and only if its ticket is undecided. It is then in the flight of
        //   its key, and may use the answer if the head is known.
        // - The answer of a flight began after each invalidation that ended before a follower
        //   joined; see ``InvalidationFence``.
        var flights: [CacheKey: Flight] = [:]
        /// The keys whose last answer an equal request could not use.
        var unusable: Set<CacheKey> = []
        var lastSerial: UInt64 = 0
    }

    // Lock order: this monitor, then the fence.
    let monitor = Monitor(State())
    private let fence: InvalidationFence

    init(_ fence: InvalidationFence) { self.fence = fence }

    /// Joins the flight of the request's key, or starts one.
    ///
    /// - Parameter mayLead: whether the answer to the request could be stored.
    func join(_ request: RequestFacts, mayLead: Bool) -> Role {
        monitor.withLock { state, effects in
            guard var flight = state.flights[request.key] else {
                return mayLead ? .leader(start(request, readsToEnd: false, &state)) : .alone
            }
            guard flight.usability?(request) ?? !state.unusable.contains(request.key) else { return .alone }
            let follower = Follower(
                self, request, mayLead: mayLead, fence.enter(request.key), effects.reserveUnqueued())
            flight.followers.append(follower)
            flight.waiting += 1
            state.flights[request.key] = flight
            return .follower(follower)
        }
    }

    /// Starts a flight whose leader reads its body itself, without a pause.
    ///
    /// - Returns: nil if a request of this key is in flight.
    func lead(_ request: RequestFacts) -> Leader? {
        monitor.withLock { state, _ in
            state.flights[request.key] == nil ? start(request, readsToEnd: true, &state) : nil
        }
    }

    /// Ends the flights for these targets (RFC 9111 §4.4). Their followers wait for new requests.
    ///
    /// Call it after the fence has closed: the new leaders must begin after the invalidation.
    func invalidate(_ targets: Set<String>) {
        monitor.withLock { state, effects in
            for key in state.flights.keys where targets.contains(key.target) {
                promote(key, hasFailed: false, &state, &effects)
            }
        }
    }

    /// Waits until `count` requests wait for others.
    func untilWaiting(_ count: Int) async {
        await monitor.wait { state in state.flights.values.reduce(0) { $0 + $1.waiting } >= count }
    }

    private func start(_ request: RequestFacts, readsToEnd: Bool, _ state: inout State) -> Leader {
        state.lastSerial += 1
        state.flights[request.key] = Flight(leader: state.lastSerial, readsToEnd: readsToEnd)
        return Leader(self, request, state.lastSerial, fence.enter(request.key))
    }

    /// Replaces a lost leader by the first follower that may lead.
    func promote(_ key: CacheKey, hasFailed: Bool, _ state: inout State, _ effects: inout Effects) {
        guard var flight = state.flights[key] else { return }
        if hasFailed { flight.failures += 1 }
        let next = flight.followers.firstIndex { $0.mayLead && effects.isUndecided($0.ticket) }
        guard flight.failures < Self.failureLimit, let next else {
            state.flights[key] = nil
            for follower in flight.followers { follower.end(.alone, &effects) }
            return
        }
        let follower = flight.followers.remove(at: next)
        state.lastSerial += 1
        flight.leader = state.lastSerial
        flight.readsToEnd = false
        flight.usability = nil
        flight.waiting -= 1
        state.flights[key] = flight
        for other in flight.followers where effects.isUndecided(other.ticket) { other.follow(fence.enter(key)) }
        follower.end(.lead(Leader(self, follower.request, state.lastSerial, fence.enter(key))), &effects)
    }
}
