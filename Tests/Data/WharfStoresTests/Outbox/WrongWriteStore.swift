import Synchronization
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

/// A correct store, with calls that can be extended or replaced.
struct WrongWriteStore: ForwardingWriteStore {
    let base: MemoryWriteStore
    /// The clock of the base.
    let clock: WrongUptime
    let seen = SeenLeases()
    var commit: @Sendable (Commit) async throws(StoreError) -> CommitResult
    var lease: @Sendable (LeaseRequest) async throws(StoreError) -> LeaseResult
    var extend: @Sendable ([Lease], Duration) async throws(StoreError) -> Set<Lease>
    var nextDue: @Sendable (LeaseRequest) async throws(StoreError) -> NextDue
    var dependents: @Sendable (OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry]
    var assignedIDs: @Sendable (Set<String>, Account?) async throws(StoreError) -> [String: String]
    var record: @Sendable (OutboxEntry.ID) async throws(StoreError) -> OutboxRecord?
    var records: @Sendable (Account?, String?, Int64?, Int) async throws(StoreError) -> [OutboxRecord]
    var deadLetters: @Sendable (Account?, DeliveryID?, Int) async throws(StoreError) -> [DeadLetter]
    var counts: @Sendable (Account?) async throws(StoreError) -> OutboxCounts
    var oldest: @Sendable (Account?) async throws(StoreError) -> [String: WallTime]
    var listen: @Sendable () -> AsyncStream<Void>
    var changes: @Sendable (Account?, _ kind: String?, StoreVersion?) -> EntityFeed
    var remove: @Sendable (Account?) async throws(StoreError) -> StoreVersion

    init(base: MemoryWriteStore, clock: WrongUptime) {
        self.base = base
        self.clock = clock
        let seen = seen
        commit = { (commit) async throws(StoreError) in try await base.commit(commit) }
        lease = { (request) async throws(StoreError) in
            let leased = try await base.lease(request)
            seen.add(leased, request, at: clock.now())
            return leased
        }
        extend = { (leases, duration) async throws(StoreError) in try await base.extend(leases, for: duration) }
        nextDue = { (request) async throws(StoreError) in try await base.nextDue(request) }
        dependents = { (entry) async throws(StoreError) in try await base.dependents(of: entry) }
        assignedIDs = { (ids, account) async throws(StoreError) in try await base.assignedIDs(for: ids, of: account) }
        record = { (entry) async throws(StoreError) in try await base.record(of: entry) }
        records = { (account, kind, after, limit) async throws(StoreError) in
            try await base.records(of: account, kind: kind, after: after, limit: limit)
        }
        deadLetters = { (account, after, limit) async throws(StoreError) in
            try await base.deadLetters(of: account, after: after, limit: limit)
        }
        counts = { (account) async throws(StoreError) in try await base.counts(of: account) }
        oldest = { (account) async throws(StoreError) in try await base.oldestPending(of: account) }
        listen = { base.notifications() }
        changes = { base.changes(of: $0, kind: $1, since: $2) }
        remove = { (account) async throws(StoreError) in try await base.removeAll(of: account) }
    }

    /// The same data for another owner, without a defect or leases.
    var ofAnotherOwner: Self { Self(base: base, clock: clock) }

    /// Ends the last leases, as if their time had run out.
    func endLeases() async throws(StoreError) {
        _ = try await base.extend(seen.all, for: .seconds(-1))
    }

    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult { try await self.commit(commit) }
    func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult { try await self.lease(request) }
    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        try await self.extend(leases, duration)
    }
    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue { try await self.nextDue(request) }
    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] { try await dependents(entry) }
    func assignedIDs(for ids: Set<String>, of account: Account?) async throws(StoreError) -> [String: String] {
        try await assignedIDs(ids, account)
    }
    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? { try await record(entry) }
    func records(
        of account: Account?, kind: String?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await records(account, kind, after, limit)
    }
    func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter] {
        try await deadLetters(account, after, limit)
    }
    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts { try await self.counts(account) }
    func oldestPending(of account: Account?) async throws(StoreError) -> [String: WallTime] {
        try await oldest(account)
    }
    func notifications() -> AsyncStream<Void> { listen() }
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion { try await remove(account) }
    func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        self.changes(account, kind, version)
    }
}

extension WrongWriteStore {
    /// Maps the commits.
    mutating func commits(_ change: @escaping @Sendable (inout Commit) async throws(StoreError) -> Void) {
        commit = { [base] (commit) async throws(StoreError) in
            var commit = commit
            try await change(&commit)
            return try await base.commit(commit)
        }
    }

    mutating func enqueues(_ change: @escaping @Sendable (inout OutboxEntry) -> Void) {
        commits { (commit) async throws(StoreError) in
            for index in commit.enqueued.indices { change(&commit.enqueued[index]) }
        }
    }

    mutating func settles(_ change: @escaping @Sendable (inout Settlement) -> Void) {
        commits { (commit) async throws(StoreError) in
            for index in commit.settled.indices { change(&commit.settled[index]) }
        }
    }

    /// Maps the lease requests.
    mutating func requests(_ change: @escaping @Sendable (inout LeaseRequest) async throws(StoreError) -> Void) {
        lease = { [base, seen, clock] (request) async throws(StoreError) in
            var request = request
            try await change(&request)
            let leased = try await base.lease(request)
            seen.add(leased, request, at: clock.now())
            return leased
        }
    }

    /// Maps the leased deliveries.
    mutating func handsOutDeliveries(_ change: @escaping @Sendable (inout PendingDelivery, LeaseRequest) -> Void) {
        lease = { [base] (request) async throws(StoreError) in
            var leased = try await base.lease(request)
            for lane in leased.lanes.indices {
                for index in leased.lanes[lane].deliveries.indices {
                    change(&leased.lanes[lane].deliveries[index], request)
                }
            }
            return leased
        }
    }

    /// Leases only some of the due lanes, as if the others were not due.
    mutating func handsOut(_ isDue: @escaping @Sendable (LeasedLane, LeaseRequest) -> Bool) {
        lease = { [base] (request) async throws(StoreError) in
            var leased = try await base.lease(request)
            var commit = Commit()
            commit.released = leased.lanes.filter { !isDue($0, request) }.map(\.lease)
            try await base.commit(commit)
            leased.lanes.removeAll { !isDue($0, request) }
            return leased
        }
    }
}

/// A clock of a store that differs from the law's.
final class WrongUptime: UptimeClock {
    private let base: any UptimeClock
    private let shown = Mutex<@Sendable (Uptime) -> Uptime>({ $0 })

    init(_ base: any UptimeClock) { self.base = base }

    func now() -> Uptime {
        let shown = shown.withLock { $0 }
        return shown(base.now())
    }

    /// - Parameter shown: maps the time of the law's clock.
    func shows(_ shown: @escaping @Sendable (Uptime) -> Uptime) { self.shown.withLock { $0 = shown } }
}

/// The last leases that were handed out.
final class SeenLeases: Sendable {
    private struct State {
        var last: [Lease.Lane: Lease] = [:]
        var ends: [Lease: Uptime] = [:]
        var handedOut: Set<DeliveryID> = []
        var counted: [DeliveryID: WallTime] = [:]
        var now = Uptime(boot: "", nanoseconds: 0)
        var requests: Int64 = 0
    }

    private let state = Mutex(State())

    func add(_ leased: LeaseResult, _ request: LeaseRequest, at now: Uptime) {
        state.withLock { state in
            state.now = now
            for lane in leased.lanes {
                state.last[lane.lease.lane] = lane.lease
                state.ends[lane.lease] = now + request.duration
                state.handedOut.formUnion(lane.deliveries.map(\.id))
            }
        }
    }

    /// The last lease of each lane.
    var all: [Lease] { state.withLock { Array($0.last.values) } }
    func last(of lane: Lease.Lane) -> Lease? { state.withLock { $0.last[lane] } }
    func hasRunOut(_ lease: Lease) -> Bool { state.withLock { $0.ends[lease]?.hasCome(by: $0.now) == true } }
    func wasHandedOut(_ delivery: DeliveryID) -> Bool { state.withLock { $0.handedOut.contains(delivery) } }

    /// The time since which attempts count, as first seen.
    func firstCounted(_ delivery: PendingDelivery) -> WallTime? {
        state.withLock { state in
            state.counted[delivery.id] = state.counted[delivery.id] ?? delivery.countedSince
            return state.counted[delivery.id]
        }
    }

    /// A different number for each call.
    func next() -> Int64 {
        state.withLock { state in
            state.requests += 1
            return state.requests
        }
    }
}

/// The ids that were there once.
final class KnownIDs: Sendable {
    private let ids = Mutex<Set<OutboxEntry.ID>>([])

    /// Returns false if the id was there.
    func insert(_ id: OutboxEntry.ID) -> Bool { ids.withLock { $0.insert(id).inserted } }
}
