internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The state of an engine, guarded by its mutex.
struct EngineState {
    /// A lane that this engine has leased.
    struct HeldLane {
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

    // Invariants while the lock is free: each lane in `held` is counted in `schedule`. `extender`
    // exists while a lane is held, until the end. `loop` is nil if no task runs it.
    var schedule: Schedule
    private(set) var destinations: [String: any Destination] = [:]
    private(set) var routes: [String: LeaseRequest.DestinationFilter] = [:]
    private(set) var permits: [String: AsyncSemaphore] = [:]
    private(set) var policies: [String: DeliveryPolicy] = [:]
    /// The leased lanes, by the numbers of their leases.
    var heldLanes: [Int64: HeldLane] = [:]
    var loop: Task<Void, Never>?
    /// The tasks that follow the journal's notifications and the network.
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

    mutating func register(_ new: Registration) {
        let name = new.route.destination
        destinations[name] = new.destination
        routes[name] = new.route
        policies[name] = new.policy
        schedule.register(name, concurrency: new.policy.concurrency, rate: new.policy.rate)
        // A replaced destination keeps its semaphore: lanes of the old one still hold permits of
        // it, and release them.
        if permits[name] == nil {
            permits[name] = AsyncSemaphore(permits: schedule.admissions[name]?.concurrency.most ?? 1)
        }
    }

    mutating func forgetDestinations() { (destinations, routes) = ([:], [:]) }

    /// Whether a lane may send its next request: its lease and its destination allow it.
    func mayContinue(_ lease: Lease, _ generation: Schedule.Generation, isFirst: Bool, at now: Uptime) -> Bool {
        // A lease that has run out may belong to another engine. A request under it could be in
        // flight twice.
        guard let held = heldLanes[lease.number], !held.isLost, !held.goodUntil.hasCome(by: now) else { return false }
        return schedule.mayContinue(generation, for: lease.lane.destination, isFirst: isFirst)
    }

    /// Gives up a lane's permit.
    ///
    /// - Returns: whether another lane may be leased for it.
    mutating func release(_ lease: Lease, hasPermit: Bool, hasSucceeded: Bool, at now: Uptime) -> Bool {
        let name = lease.lane.destination
        let (permits, isWanted) = schedule.releasePermit(
            name, lease.number, hasPermit: hasPermit, hasSucceeded: hasSucceeded, at: now)
        // In one step with the counts. A lane that is leased in between would find no permit, wait,
        // and no longer count as first.
        release(permits, of: name)
        return isWanted
    }

    func release(_ count: Int, of name: String) {
        for _ in 0..<count { permits[name]?.release() }
    }

    /// The route by which the journal looks up a destination's due entries.
    func filter(for name: String) -> LeaseRequest.DestinationFilter? {
        guard var route = routes[name] else { return nil }
        // A drain has no time to wait until batches fill.
        if schedule.drains > 0 { route.limits.wait = .zero }
        return route
    }

    /// - Returns: the routes that no destination delivers and that were not reported before.
    mutating func park(_ routes: some Sequence<OutboxCounts.Route>) -> [OutboxCounts.Route] {
        // The test and the mark are one step, so that each route is reported once.
        routes.filter { isParked($0) && parked.insert($0).inserted }
    }

    func isParked(_ route: OutboxCounts.Route) -> Bool {
        routes[route.destination]?.kinds.contains(route.kind) != true
    }
}

/// A destination, with the values that the app's code gives for it.
///
/// They are read before the engine's lock is taken. The app's code may call the engine, and would
/// wait for its own lock.
struct Registration {
    let destination: any Destination
    let route: LeaseRequest.DestinationFilter
    let policy: DeliveryPolicy

    init(_ destination: any Destination, _ policy: (String) -> DeliveryPolicy) {
        self.destination = destination
        route = .init(destination.name, kinds: destination.kinds, limits: destination.batchLimits)
        self.policy = policy(route.destination)
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
