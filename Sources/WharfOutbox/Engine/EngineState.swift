internal import WharfCore
internal import WharfPrimitives

/// What an engine knows, under its lock.
struct EngineState {
    /// A lane that this engine has leased and works at.
    struct Held {
        let lease: Lease
        /// When this engine gives the lease up, by its own clock.
        ///
        /// It is counted from before the store was asked, so the store ends the lease later.
        var goodUntil: Uptime
        let task: Task<Void, Never>
        let weight: Int
        /// It has run out: somebody else may have the lane.
        var isLost = false
    }

    var schedule: Schedule
    private(set) var destinations: [String: any Destination] = [:]
    private(set) var permits: [String: AsyncSemaphore] = [:]
    private(set) var policies: [String: DeliveryPolicy] = [:]
    /// By the numbers of their leases.
    var held: [Int64: Held] = [:]
    var loop: Task<Void, Never>?
    /// Follow the journal's news and the network.
    var followers: [Task<Void, Never>] = []
    var extender: Task<Void, Never>?
    var drains: [UInt64: Drain] = [:]
    var lastDrain: UInt64 = 0
    /// Fulfilled when no lane is held any more.
    var untilFree: [Promise<Void>] = []
    /// What was told of already.
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
            permits[name] = AsyncSemaphore(permits: schedule.reaches[name]?.concurrency.most ?? 1)
        }
    }

    mutating func forgetDestinations() { destinations = [:] }

    /// What has to be known of a lane before it goes on.
    func mayGoOn(_ lease: Lease, _ pass: Schedule.Pass, isFirst: Bool, at now: Uptime) -> Bool {
        guard let held = held[lease.number], !held.isLost, !held.goodUntil.hasCome(by: now) else { return false }
        return schedule.holds(pass, for: lease.lane.destination, isFirst: isFirst)
    }

    /// Gives up a lane's permit.
    ///
    /// - Returns: whether there is something to lease for the lane that gets it.
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

    /// How the journal is asked for what is due at a destination.
    func route(to name: String) -> LeaseRequest.Route? {
        guard let destination = destinations[name] else { return nil }
        var limits = destination.batchLimits
        // Who drains has no time to wait for more.
        if schedule.drains > 0 { limits.wait = .zero }
        return .init(name, kinds: destination.kinds, limits: limits)
    }

    /// - Returns: those of them that nobody delivers, and that were not told of before.
    mutating func park(_ routes: some Sequence<OutboxCounts.Route>) -> [OutboxCounts.Route] {
        routes.filter { isParked($0) && parked.insert($0).inserted }
    }

    func isParked(_ route: OutboxCounts.Route) -> Bool {
        destinations[route.destination]?.kinds.contains(route.kind) != true
    }
}

extension LeasedLane {
    /// About as many bytes as it takes in memory, with what becomes of it until it is committed.
    var weight: Int { deliveries.reduce(0) { $0 + $1.entry.payload.count + 2_048 } }
}

extension Destination {
    /// One at a time, where it takes no batches.
    var batchLimits: BatchLimits { (self as? any BatchDestination)?.limits ?? BatchLimits(entries: 1) }
}
