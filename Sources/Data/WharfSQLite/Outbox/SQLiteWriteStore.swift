#if SQLite
internal import GRDB
public import WharfCore
public import WharfStorage

/// Entities and an outbox's journal in one data file, with common transactions.
///
/// ```swift
/// let file = try await SQLiteDataFile.open(at: DataLocation.applicationSupport().path)     // of Wharf; any path will do
/// let store = SQLiteWriteStore(file)
/// try await store.commit(Commit(entities: [.put(row)], enqueued: [entry]))
/// ```
///
/// A commit is on the disk when it returns.
///
/// - Entities are those of ``SQLiteEntityStore``: both may be used on one file.
/// - Commits and leases that come at the same time share a transaction and its one sync of the disk
///   (group commit). Each behaves as if it were alone.
/// - Finding due entries costs nothing for the others, with two exceptions. Batches that wait to
///   fill cost one look at each of their lanes. After a clock was set back, each lease sorts the
///   lanes that were attempted later than now.
/// - For entries that come late, the store remembers the last 100,000 assigned ids and the last
///   100,000 discarded entries.
/// - Several processes may use one file. A reader of ``notifications()`` learns of another
///   process's commits after `pollInterval` at the latest.
/// - Each opened ``SQLiteDataFile`` is an owner of leases. From its first lease on it holds an
///   advisory lock on a file of its own beside the data file, `<data file>.owner-<number>`. The
///   system releases the lock when the process dies. So the lanes of a killed process are free at
///   the next lease, and its death is news at the next poll.
/// - A data file that is closed with unreleased leases keeps the lock until its process ends,
///   because a request may be in flight. Those leases end by time.
/// - A full disk does not stop deliveries: see ``lease(_:)``.
public struct SQLiteWriteStore: WriteStore {
    let file: SQLiteDataFile
    private let entities: SQLiteEntityStore
    let uptime: any UptimeClock
    private let memory: Int

    /// Creates a store on an open data file.
    ///
    /// - Parameter uptime: the clock by which leases run out. All processes of one machine that use
    ///   the file need the same one.
    public init(_ file: SQLiteDataFile, uptime: any UptimeClock = .system) {
        self.init(file, remembering: JournalRetention.size, uptime: uptime)
    }

    /// Creates a store that remembers this many assigned ids and discarded entries.
    package init(_ file: SQLiteDataFile, remembering memory: Int, uptime: any UptimeClock = .system) {
        self.file = file
        self.uptime = uptime
        self.memory = memory
        entities = SQLiteEntityStore(file)
    }

    @discardableResult
    public func commit(_ commit: Commit) async throws(StoreError) -> CommitResult {
        let committed = try await file.commit("commit to the journal") {
            [memory, reached = file.probe.reached, gate = file.gate, unwritten = file.unwritten] db, effects in
            let entities = EntityCommit(db: db, reached: { reached?($0) }, check: { try gate.check() })
            // Compared before anything is written, in the same transaction.
            if let states = try entities.refusal(of: commit.expecting) {
                return CommitResult(outcome: .refused(states))
            }
            var journal = JournalWriter(db) { point in reached?(point) }
            // Settlements name leases as they were handed out. The journal knows them by other
            // numbers if they were written later.
            let commit = try commit.naming(unwritten.written).keeping {
                try journal.lastLease(beforeRemovalOf: $0)
            } isCurrent: {
                try journal.isCurrent($0)
            } isSettled: {
                try journal.isSettled($0)
            } hasRow: {
                try EntityTables(db: db).has($0)
            }
            // The row goes before the settlement. Both are in one transaction, so a reader never
            // sees an entry settled without its row.
            let versions = try entities.write(commit.entities, &effects)
            effects.notifiesJournal = commit.notifiesJournal
            effects.hasEnqueued = !commit.enqueued.isEmpty
            var committed = try journal.apply(commit, remembering: memory)
            committed.outcome = .committed(versions)
            return committed
        }
        // After the commit: if it fails, the numbers are needed again.
        file.unwritten.forget(commit.released)
        return committed
    }

    public func notifications() -> AsyncStream<Void> {
        file.feed.listen { [weak file] () async throws(StoreError) in
            try await file?.look()
        }
    }

    // MARK: EntityStore

    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await entities.row(key) }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        try await entities.rows(keys)
    }

    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        try await entities.rows(query, of: account, kind: kind)
    }

    public func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await entities.states(of: keys)
    }

    public func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList {
        try await entities.states(query, of: account, kind: kind)
    }

    @discardableResult
    public func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await entities.commit(changes, expecting: expected)
    }

    /// Removes the account's entities and entries.
    ///
    /// See ``SQLiteEntityStore/removeAll(of:)``.
    @discardableResult
    public func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await entities.removeAll(of: account)
    }

    public func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        entities.changes(of: account, kind: kind, since: version)
    }
}
#endif
