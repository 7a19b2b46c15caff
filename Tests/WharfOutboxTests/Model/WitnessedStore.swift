import Synchronization
import WharfCore

/// One engine's way to the journal that all share. It can die: nothing reaches the journal by it then.
final class WitnessedStore: WriteStore {
    private let witness: Witness
    private let engine: Int
    private let isDead = Mutex(false)

    init(_ witness: Witness, engine: Int) {
        self.witness = witness
        self.engine = engine
    }

    var isAlive: Bool { isDead.withLock { !$0 } }
    func die() { isDead.withLock { $0 = true } }

    private func checkLife() throws(StoreError) {
        guard isAlive else { throw StoreError(.closed, message: "the process is dead") }
    }

    /// A kill may come before or after what is done, and others may run meanwhile.
    private func living<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        await witness.pause()
        try checkLife()
        let value = try await body()
        await witness.pause()
        try checkLife()
        return value
    }

    func commit(_ commit: Commit) async throws(StoreError) -> Committed {
        try await living { () async throws(StoreError) in
            let committed = try await witness.journal.commit(commit)
            witness.committed(commit, committed)
            return committed
        }
    }

    func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased {
        try await living { () async throws(StoreError) in
            let leased = try await witness.journal.lease(request)
            witness.leased(leased, by: engine, until: request.uptime + request.duration)
            return leased
        }
    }

    func extend(
        _ leases: [Lease], at uptime: Uptime, for duration: Duration
    ) async throws(StoreError) -> Set<Lease> {
        try await living { () async throws(StoreError) in
            let extended = try await witness.journal.extend(leases, at: uptime, for: duration)
            witness.extended(extended, until: uptime + duration)
            return extended
        }
    }

    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> WallTime? {
        try await living { () async throws(StoreError) in try await witness.journal.nextDue(request) }
    }

    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try await living { () async throws(StoreError) in try await witness.journal.dependents(of: entry) }
    }

    func assignedIDs(for temporary: Set<String>, of account: Account?) async throws(StoreError) -> [String: String] {
        try await witness.journal.assignedIDs(for: temporary, of: account)
    }

    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try await witness.journal.record(of: entry)
    }

    func records(
        of account: Account?, kind: String?, after: OutboxEntry.ID?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await witness.journal.records(of: account, kind: kind, after: after, limit: limit)
    }

    func deadLetters(of account: Account?, after: DeliveryID?, limit: Int) async throws(StoreError) -> [DeadLetter] {
        try await witness.journal.deadLetters(of: account, after: after, limit: limit)
    }

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try await witness.journal.counts(of: account)
    }

    func news() -> AsyncStream<Void> { witness.journal.news() }
    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await witness.journal.row(key) }
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        try await witness.journal.rows(keys)
    }
    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        try await witness.journal.rows(query, of: account, kind: kind)
    }
    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await witness.journal.states(of: keys)
    }
    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        try await witness.journal.states(query, of: account, kind: kind)
    }
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await witness.journal.commit(changes, expecting: expected)
    }
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await witness.journal.removeAll(of: account)
    }
    func changes(of account: Account?, since version: StoreVersion) -> EntityFeed {
        witness.journal.changes(of: account, since: version)
    }
    func changes(of account: Account?, kind: String) -> EntityChanges {
        witness.journal.changes(of: account, kind: kind)
    }
}
