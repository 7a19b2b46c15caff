internal import Synchronization
public import WharfCore
public import WharfStorage

/// Entities in memory, for tests, previews, and data that must not reach a disk.
///
/// The newest 10,000 tombstones of each account are kept.
public final class MemoryEntityStore: EntityStore {
    // Invariants: after `isClosed` the table is empty. Feeds are told under this lock, in the order
    // of versions.
    private struct State {
        var table: VersionedTable<EntityRow>
        var isClosed = false
    }

    private let tombstones: Int
    private let state: Mutex<State>
    private let readers = EntityFeedReaders()

    /// Creates an empty store.
    public convenience init() { self.init(tombstones: EntityTombstones.bound) }

    /// - Parameter tombstones: how many tombstones of each account are kept.
    package init(tombstones: Int) {
        self.tombstones = tombstones
        state = Mutex(State(table: VersionedTable(bound: tombstones)))
    }

    /// Forgets everything and ends the feeds.
    ///
    /// Later calls throw ``WharfCore/StoreError/Code/closed``.
    public func close() {
        // The state is closed first. A feed that begins between finds the store closed at its first
        // read.
        state.withLock { $0 = State(table: VersionedTable(bound: tombstones), isClosed: true) }
        readers.finish()
    }

    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try access { $0.value(key) } }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        let rows = try access { table in keys.compactMap { table.value($0) } }
        return Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
    }

    /// - Complexity: O(n) in the entities of the kind, and a sort of the matches.
    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        try await states(query, of: account, kind: kind).states.compactMap(\.row)
    }

    public func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try access { $0.states(of: keys) }
    }

    /// - Complexity: O(n) in the entities of the kind, and a sort of the matches.
    public func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList {
        let (version, entries) = try access { ($0.version(of: account), $0.entries(of: account, kind)) }
        return EntityList(version: version, query, entries)
    }

    @discardableResult
    public func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try access { table in
            // Comparison and change are one step under the lock.
            let differing = table.differing(from: expected)
            guard differing.isEmpty else { return CommitOutcome.refused(table.states(of: differing).states) }
            let versions = table.apply(changes)
            // Under the lock: feeds get commits in their order, and one that begins misses none.
            readers.tell(changes, versions)
            return .committed(versions)
        }
    }

    @discardableResult
    public func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try access { table in
            let version = table.removeAll(of: account)
            readers.tellAll(of: account, at: version)
            return version
        }
    }

    public func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        readers.subscribe(to: account, kind: kind, since: version) { [weak self] (version) throws(StoreError) in
            try self?.log(of: account, since: version)
        }
    }

    /// Returns the changes since a version; nil if there are none.
    package func log(of account: Account?, since version: StoreVersion) throws(StoreError) -> EntityFeed.Element? {
        try access { $0.changes(of: account, since: version) }
    }

    /// The number of an account's tombstones.
    package func tombstoneCount(of account: Account?) -> Int {
        state.withLock { $0.table.tombstoneCount(of: account) }
    }

    private func access<Value>(_ body: (inout VersionedTable<EntityRow>) -> Value) throws(StoreError) -> Value {
        let value = state.withLock { $0.isClosed ? nil : body(&$0.table) }
        guard let value else { throw StoreError.closedInMemory }
        return value
    }
}

extension EntityList {
    /// Answers a query from all entries of the kind.
    init(version: StoreVersion, _ query: RowQuery, _ entries: [EntityKey: VersionedTable<EntityRow>.Entry]) {
        let rows = query.answer(entries.values.compactMap(\.value), id: { $0.key.id }, fields: { $0.fields })
        self.init(
            version: version,
            states: rows.map { EntityState(row: $0, version: entries[$0.key]?.version ?? .none) })
    }
}

extension StoreError {
    static var closedInMemory: StoreError {
        StoreError(.closed, message: "the store was closed; make another one")
    }
}
