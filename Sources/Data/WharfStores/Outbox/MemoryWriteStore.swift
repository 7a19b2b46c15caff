internal import Synchronization
public import WharfCore
public import WharfStorage

/// Entities and a journal in memory, for tests, previews, and data kept off disk.
///
/// ```swift
/// let store = MemoryWriteStore()
/// try await store.commit(Commit(entities: [.put(row)], enqueued: [entry]))
/// ```
///
/// The newest 10,000 tombstones of each account are kept. For entries that come late, the store
/// remembers the last 100,000 assigned ids and the last 100,000 discarded entries.
///
/// - Complexity: a lease examines the lanes that it hands out, and those before them that are
///   parked, dependent, or held. If it finds fewer lanes than requested, it examines all waiting
///   lanes.
public final class MemoryWriteStore: WriteStore {
    // Invariants: entities and journal change together under the lock. Feeds are told under it, in
    // the order of versions; readers of the journal are told after it.
    private struct State {
        var entities: VersionedTable<EntityRow>
        var journal: JournalState
        var isClosed = false
    }

    private let state: Mutex<State>
    private let uptime: any UptimeClock
    private let memory: Int
    private let tombstones: Int
    private let feeds = EntityFeedReaders()
    private let readers = JournalSubscriptions()

    /// Creates an empty store.
    ///
    /// - Parameter uptime: the clock by which leases run out.
    public convenience init(uptime: any UptimeClock = .system) {
        self.init(remembering: JournalRetention.size, uptime: uptime)
    }

    /// - Parameters:
    ///   - memory: how many assigned ids, and how many discarded entries, are remembered.
    ///   - tombstones: how many tombstones of each account are kept.
    package init(
        remembering memory: Int, tombstones: Int = EntityTombstones.bound, uptime: any UptimeClock = .system
    ) {
        self.uptime = uptime
        self.memory = memory
        self.tombstones = tombstones
        state = Mutex(
            State(entities: VersionedTable(bound: tombstones), journal: JournalState(remembering: memory)))
    }

    /// Forgets everything and ends the feeds and notifications.
    ///
    /// Later calls throw ``WharfCore/StoreError/Code/closed``.
    public func close() {
        state.withLock {
            $0 = State(
                entities: VersionedTable(bound: tombstones), journal: JournalState(remembering: memory),
                isClosed: true)
        }
        feeds.finish()
        readers.finish()
    }

    @discardableResult
    public func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        let committed = try access { state throws(StoreError) -> CommitResult in
            // The comparison and all changes are one step under the lock.
            let differing = state.entities.differing(from: commit.expecting)
            guard differing.isEmpty else {
                return CommitResult(outcome: .refused(state.entities.states(of: differing).states))
            }
            let kept = commit.keeping {
                state.journal.removed[$0]
            } isCurrent: {
                state.journal.isCurrent($0)
            } isSettled: {
                state.journal.isSettled($0)
            } hasRow: {
                state.entities.value($0) != nil
            }
            // The journal first: it is the only part that can refuse, and it refuses before it
            // changes anything.
            var committed = try state.journal.apply(kept)
            let versions = state.entities.apply(kept.entities)
            // Under the lock: feeds get commits in their order, and one that begins misses none.
            feeds.tell(kept.entities, versions)
            committed.outcome = .committed(versions)
            return committed
        }
        guard case .committed = committed.outcome else { return committed }
        // After the lock: a reader may call the store at once.
        if commit.notifiesJournal { readers.tell() }
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

    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        try access { $0.entities.value(key) }
    }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        let rows = try access { state in keys.compactMap { state.entities.value($0) } }
        return Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
    }

    /// - Complexity: O(n) in the entities of the kind, and a sort of the matches.
    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        try await states(query, of: account, kind: kind).states.compactMap(\.row)
    }

    public func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try access { $0.entities.states(of: keys) }
    }

    /// - Complexity: O(n) in the entities of the kind, and a sort of the matches.
    public func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList {
        let (version, entries) = try access {
            ($0.entities.version(of: account), $0.entities.entries(of: account, kind))
        }
        return EntityList(version: version, query, entries)
    }

    @discardableResult
    public func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await commit(Commit(entities: changes, expecting: expected, enqueued: [])).outcome
    }

    /// Removes the account's entities and its entries.
    @discardableResult
    public func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        let version = try access { state in
            let version = state.entities.removeAll(of: account)
            state.journal.removeAll(of: account)
            feeds.tellAll(of: account, at: version)
            return version
        }
        // Entries of other accounts may have waited for removed ones.
        readers.tell()
        return version
    }

    public func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        feeds.subscribe(to: account, kind: kind, since: version) { [weak self] (version) throws(StoreError) in
            try self?.access { $0.entities.changes(of: account, since: version) }
        }
    }

    // MARK: Journal

    public func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult {
        let leased = try access { $0.journal.lease(request, at: uptime.now()) }
        // Other entries may have waited for the expired ones.
        if !leased.expired.isEmpty { readers.tell() }
        return leased
    }

    public func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease> {
        try access { $0.journal.extend(leases, at: uptime.now(), for: duration) }
    }

    public func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue {
        try access { $0.journal.nextDue(request, at: uptime.now()) }
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
        of account: Account?, kind: String?, after: Int64?, limit: Int
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

    public func oldestPending(of account: Account?) async throws(StoreError) -> [String: WallTime] {
        try access { $0.journal.oldestPending(of: account) }
    }

    public func notifications() -> AsyncStream<Void> { readers.subscribe() }
}
