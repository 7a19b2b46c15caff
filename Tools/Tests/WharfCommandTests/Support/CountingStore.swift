import Synchronization
import Wharf
import WharfStorage

/// Wraps a store, and counts its commits and leases or fails its commits.
final class CountingStore: WriteStore {
    private let base: MemoryWriteStore
    private let failsCommits: Bool
    private let calls = Atomic(0)

    init(_ base: MemoryWriteStore, failsCommits: Bool = false) {
        self.base = base
        self.failsCommits = failsCommits
    }

    var count: Int { calls.load(ordering: .relaxed) }

    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        calls.add(1, ordering: .relaxed)
        if failsCommits { throw StoreError(.unavailable, message: "the disk is full") }
        return try await base.commit(commit)
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        calls.add(1, ordering: .relaxed)
        return try await base.lease(request)
    }

    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        try await base.extend(leases, for: duration)
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue { try await base.nextDue(request) }

    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try await base.dependents(of: entry)
    }

    func assignedIDs(for ids: Set<String>, of account: Account?) async throws(StoreError) -> [String: String] {
        try await base.assignedIDs(for: ids, of: account)
    }

    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try await base.record(of: entry)
    }

    func records(
        of account: Account?, kind: String?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await base.records(of: account, kind: kind, after: after, limit: limit)
    }

    func deadLetters(of account: Account?, after: DeliveryID?, limit: Int) async throws(StoreError) -> [DeadLetter] {
        try await base.deadLetters(of: account, after: after, limit: limit)
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts { try await base.counts(of: account) }
    func oldestPending(of account: Account?) async throws(StoreError) -> [String: WallTime] {
        try await base.oldestPending(of: account)
    }
    func notifications() -> AsyncStream<Void> { base.notifications() }
    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await base.row(key) }
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] { try await base.rows(keys) }
    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        try await base.rows(query, of: account, kind: kind)
    }
    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await base.states(of: keys)
    }
    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        try await base.states(query, of: account, kind: kind)
    }
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await base.commit(changes, expecting: expected)
    }
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await base.removeAll(of: account)
    }
    func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        base.changes(of: account, kind: kind, since: version)
    }
}
