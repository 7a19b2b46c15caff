import Synchronization
import Wharf

/// A journal of which only those entries are handed out that need nothing of the app.
///
/// A lane in front of which another stands is leased all the same, and held until ``release()``: so it is not handed out again and
/// again, and nothing of it is attempted or changed.
final class SelfContainedStore: WriteStore {
    private let base: any WriteStore
    private let held = Mutex<[Lease.Lane: Lease]>([:])

    init(_ base: any WriteStore) { self.base = base }

    /// Whether something needs the app.
    var hasHeldBack: Bool { held.withLock { !$0.isEmpty } }

    /// Gives back what was held. What a process leaves that is killed before runs out by itself.
    func release() async throws(StoreError) {
        let leases = held.withLock { held in
            defer { held = [:] }
            return Array(held.values)
        }
        guard !leases.isEmpty else { return }
        var commit = Commit()
        commit.released = leases
        try await base.commit(commit)
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased {
        var all = Leased()
        while all.lanes.count < request.lanes {
            var rest = request
            rest.lanes = request.lanes - all.lanes.count
            let leased = try await base.lease(rest)
            all.expired += leased.expired
            for lane in leased.lanes {
                var lane = lane
                lane.deliveries = Array(lane.deliveries.prefix { $0.entry.isSelfContained })
                if lane.deliveries.isEmpty {
                    held.withLock { $0[lane.lease.lane] = lane.lease }
                } else {
                    all.lanes.append(lane)
                }
            }
            // Whoever asked takes a number as large as it asked for as a sign that there is more.
            guard leased.lanes.count == rest.lanes else { break }
        }
        return all
    }

    // MARK: All else is the base's

    func extend(
        _ leases: [Lease], at uptime: Uptime, for duration: Duration
    ) async throws(StoreError) -> Set<Lease> {
        try await base.extend(leases, at: uptime, for: duration)
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> WallTime? { try await base.nextDue(request) }

    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try await base.dependents(of: entry)
    }

    func assignedIDs(
        for temporary: Set<String>, of account: Account?
    ) async throws(StoreError) -> [String: String] {
        try await base.assignedIDs(for: temporary, of: account)
    }

    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try await base.record(of: entry)
    }

    func records(
        of account: Account?, kind: String?, after: OutboxEntry.ID?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await base.records(of: account, kind: kind, after: after, limit: limit)
    }

    func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter] {
        try await base.deadLetters(of: account, after: after, limit: limit)
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts { try await base.counts(of: account) }

    func news() -> AsyncStream<Void> { base.news() }

    @discardableResult
    func commit(_ commit: Commit) async throws(StoreError) -> Committed { try await base.commit(commit) }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await base.row(key) }

    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] { try await base.rows(keys) }

    func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        try await base.rows(query, of: account, kind: kind)
    }

    func commit(_ changes: [EntityChange]) async throws(StoreError) { try await base.commit(changes) }

    func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }

    func changes(of account: Account?, kind: String) -> EntityChanges { base.changes(of: account, kind: kind) }
}
