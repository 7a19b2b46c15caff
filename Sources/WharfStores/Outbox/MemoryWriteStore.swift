internal import Synchronization
public import WharfCore

/// Keeps entities and what is to be delivered as long as it is there itself: for tests, previews, and what must not lie on a
/// disk.
///
/// ```swift
/// let store = MemoryWriteStore()
/// try await store.commit(Commit(entities: [.put(row)], enqueued: [entry]))
/// ```
///
/// The last 100,000 ids that receivers gave and the last 100,000 discarded entries are remembered for entries that come late.
///
/// - Complexity: a lease looks at the lanes that it hands out, and at those before them that can't be: parked, dependent, or
///   held. One that finds fewer lanes than it asks for looks at all that wait.
public final class MemoryWriteStore: WriteStore {
    private struct State {
        var entities = EntityTable()
        var journal: JournalState
        var isClosed = false
    }

    private let state: Mutex<State>
    private let memory: Int
    private let subscriptions = EntitySubscriptions()
    private let readers = JournalSubscriptions()

    public convenience init() { self.init(remembering: JournalMemory.size) }

    package init(remembering memory: Int) {
        self.memory = memory
        state = Mutex(State(journal: JournalState(remembering: memory)))
    }

    /// Forgets everything and ends its subscriptions. Anything after it throws ``WharfCore/StoreError/Code/closed``.
    public func close() {
        state.withLock { $0 = State(journal: JournalState(remembering: memory), isClosed: true) }
        subscriptions.finish()
        readers.finish()
    }

    @discardableResult
    public func commit(_ commit: Commit) async throws(StoreError) -> Committed {
        let (kept, committed) = try access { state throws(StoreError) in
            let kept = commit.keeping {
                state.journal.removed[$0]
            } isCurrent: {
                state.journal.isCurrent($0)
            } isSettled: {
                state.journal.isSettled($0)
            } hasRow: {
                state.entities[$0] != nil
            }
            let committed = try state.journal.apply(kept)
            state.entities.apply(kept.entities)
            return (kept.entities, committed)
        }
        subscriptions.tell(kept.lazy.map(\.key))
        if commit.mayMakeDue { readers.tell() }
        return committed
    }

    private func access<Value>(_ body: (inout State) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = state.withLock { state in
            guard !state.isClosed else { return .failure(.closedInMemory) }
            do throws(StoreError) { return .success(try body(&state)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    // MARK: EntityStore

    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try access { $0.entities[key] } }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        let rows = try access { state in keys.compactMap { state.entities[$0] } }
        return Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
    }

    /// - Complexity: one look at each entity of the kind, and a sort of those that match.
    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        let rows = try access { $0.entities.rows(of: account, kind) }
        return query.answer(rows.values, id: { $0.key.id }, fields: { $0.fields })
    }

    public func commit(_ changes: [EntityChange]) async throws(StoreError) {
        _ = try await commit(Commit(entities: changes, enqueued: []))
    }

    /// With what is to be delivered.
    public func removeAll(of account: Account?) async throws(StoreError) {
        try access { state in
            state.entities.removeAll(of: account)
            state.journal.removeAll(of: account)
        }
        subscriptions.tellAll { $0 == account }
        // Others may have waited for what is gone.
        readers.tell()
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        subscriptions.subscribe(to: account, kind: kind)
    }

    // MARK: Journal

    public func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased {
        let leased = try access { $0.journal.lease(request) }
        // Others may have waited for what has expired.
        if !leased.expired.isEmpty { readers.tell() }
        return leased
    }

    public func extend(
        _ leases: [Lease], at uptime: Uptime, for duration: Duration
    ) async throws(StoreError) -> Set<Lease> {
        try access { $0.journal.extend(leases, at: uptime, for: duration) }
    }

    public func nextDue(_ request: LeaseRequest) async throws(StoreError) -> WallTime? {
        try access { $0.journal.nextDue(request) }
    }

    public func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry] {
        try access { $0.journal.dependents(of: entry) }
    }

    public func assignedIDs(
        for temporary: Set<String>, of account: Account?
    ) async throws(StoreError) -> [String: String] {
        try access { $0.journal.assignedIDs(for: temporary, of: account) }
    }

    public func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord? {
        try access { $0.journal.record(of: entry) }
    }

    public func records(
        of account: Account?, kind: String?, after: OutboxEntry.ID?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try access { $0.journal.records(of: account, kind: kind, after: after, limit: limit) }
    }

    public func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter] {
        try access { $0.journal.deadLetters(of: account, after: after, limit: limit) }
    }

    public func counts(of account: Account?) async throws(StoreError) -> OutboxCounts {
        try access { $0.journal.counts(of: account) }
    }

    public func news() -> AsyncStream<Void> { readers.subscribe() }
}
