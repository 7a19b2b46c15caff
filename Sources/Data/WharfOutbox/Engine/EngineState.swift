internal import WharfCore
internal import WharfPrimitives

/// The state of an engine, guarded by its mutex.
struct EngineState {
    /// A lane that this engine has leased.
    struct Held {
        let lease: Lease
        /// When this engine gives the lease up, by its own clock.
        ///
        /// It is counted from before the store was asked, so the store ends the lease later.
        var goodUntil: Uptime
        let task: Task<Void, Never>
        let weight: Int
        /// Whether the lease has run out, so that another engine may hold the lane.
        var isLost = false
    }

    var schedule: Schedule
    private(set) var destinations: [String: any Destination] = [:]
    private(set) var permits: [String: AsyncSemaphore] = [:]
    private(set) var policies: [String: DeliveryPolicy] = [:]
    /// The leased lanes, by the numbers of their leases.
    var held: [Int64: Held] = [:]
    var loop: Task<Void, Never>?
    /// The tasks that follow the journal's news and the network.
    var followers: [Task<Void, Never>] = []
    var extender: Task<Void, Never>?
    var drains: [UInt64: Drain] = [:]
    var lastDrain: UInt64 = 0
    /// Promises that are fulfilled when no lane is held any more.
    var untilFree: [Promise<Void>] = []
    /// The routes without a destination that were already reported.
    var parked: Set<OutboxCounts.Route> = []
    /// Whether the last lanes were leased in memory only, as the disk is full.
    var leasesInMemory = false

    mutating func register(_ destination: any Destination, _ policy: (String) -> DeliveryPolicy) {
        let name = destination.name
        destinations[name] = destination
        let policy = policy(name)
        policies[name] = policy
        schedule.register(name, concurrency: policy.concurrency, rate: policy.rate)
        if permits[name] == nil {
            permits[name] = AsyncSemaphore(permits: schedule.admissions[name]?.concurrency.most ?? 1)
        }
    }

    mutating func forgetDestinations() { destinations = [:] }

    /// Whether a lane may send its next request: its lease and its destination allow it.
    func mayGoOn(_ lease: Lease, _ pass: Schedule.Pass, isFirst: Bool, at now: Uptime) -> Bool {
        guard let held = held[lease.number], !held.isLost, !held.goodUntil.hasCome(by: now) else { return false }
        return schedule.holds(pass, for: lease.lane.destination, isFirst: isFirst)
    }

    /// Gives up a lane's permit.
    ///
    /// - Returns: whether another lane may be leased for it.
    mutating func release(_ lease: Lease, hasPermit: Bool, hasSucceeded: Bool, at now: Uptime) -> Bool {
        let name = lease.lane.destination
        let (permits, isWanted) = schedule.standsUp(
            name, lease.number, hasPermit: hasPermit, hasSucceeded: hasSucceeded, at: now)
        release(permits, of: name)
        return isWanted
    }

    func release(_ count: Int, of name: String) {
        for _ in 0..<count { permits[name]?.release() }
    }

    /// The route by which the journal looks up a destination's due entries.
    func route(to name: String) -> LeaseRequest.Route? {
        guard let destination = destinations[name] else { return nil }
        var limits = destination.batchLimits
        // A drain has no time to wait until batches fill.
        if schedule.drains > 0 { limits.wait = .zero }
        return .init(name, kinds: destination.kinds, limits: limits)
    }

    /// - Returns: the routes that no destination delivers and that were not reported before.
    mutating func park(_ routes: some Sequence<OutboxCounts.Route>) -> [OutboxCounts.Route] {
        routes.filter { isParked($0) && parked.insert($0).inserted }
    }

    func isParked(_ route: OutboxCounts.Route) -> Bool {
        destinations[route.destination]?.kinds.contains(route.kind) != true
    }
}

extension LeasedLane {
    /// The estimated bytes in memory of the lane's deliveries until they are committed.
    var weight: Int { deliveries.reduce(0) { $0 + $1.entry.payload.count + 2_048 } }
}

extension Destination {
    /// The destination's batch limits; one entry if it takes no batches.
    var batchLimits: BatchLimits { (self as? any BatchDestination)?.limits ?? BatchLimits(entries: 1) }
}
