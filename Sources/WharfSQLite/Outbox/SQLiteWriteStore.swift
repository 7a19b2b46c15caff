#if SQLite
internal import GRDB
public import WharfCore

/// Keeps entities, and what is to be delivered, in a data file: a commit of both is one
/// transaction, and on the disk when it returns.
///
/// ```swift
/// let file = try await SQLiteDataFile.open(at: DataLocation.applicationSupport().path)     // of Wharf; any path will do
/// let store = SQLiteWriteStore(file)
/// try await store.commit(Commit(entities: [.put(row)], enqueued: [entry]))
/// ```
///
/// - Entities are those of ``SQLiteEntityStore``: both may be used on one file.
/// - Commits and leases that come at the same time share a transaction and its one sync of the
///   disk, each as if it were alone.
/// - What is due is found without a look at what is not. The exception are batches that wait for
///   more: a look at each lane of theirs. After a clock was set back, each lease sorts the lanes
///   that were attempted later than now.
/// - The last 100,000 ids that receivers gave and the last 100,000 discarded entries are remembered
///   for entries that come late.
/// - Several processes may use one file. Who listens to ``news()`` hears of another's commits at
///   the next look (`pollInterval`), at the latest.
/// - Each opened ``SQLiteDataFile`` is an owner of leases. From its first lease on it holds an
///   advisory lock on a file of its own beside the data file, `<data file>.owner-<number>`, and the
///   system gives the lock back when the process dies. So the lanes of a killed process are free at
///   the next lease, and its death is news at the next look.
/// - A data file that is closed before all of its leases are given back keeps the lock until its
///   process ends: a request may be in flight. Those leases end by time.
/// - A full disk does not keep anybody from delivering: see ``lease(_:)``.
public struct SQLiteWriteStore: WriteStore {
    let file: SQLiteDataFile
    private let entities: SQLiteEntityStore
    let uptime: any UptimeClock
    private let memory: Int

    /// - Parameter uptime: the clock by which leases run out. All processes of one machine that use
    ///   the file have the same one.
    public init(_ file: SQLiteDataFile, uptime: any UptimeClock = .system) {
        self.init(file, remembering: JournalMemory.size, uptime: uptime)
    }

    package init(_ file: SQLiteDataFile, remembering memory: Int, uptime: any UptimeClock = .system) {
        self.file = file
        self.uptime = uptime
        self.memory = memory
        entities = SQLiteEntityStore(file)
    }

    @discardableResult
    public func commit(_ commit: Commit) async throws(StoreError) -> Committed {
        let committed = try await file.commit("commit to the journal") {
            [memory, reached = file.probe.reached, gate = file.gate, unwritten = file.unwritten] db, news in
            let entities = EntityCommit(db: db, reached: { reached?($0) }, check: { try gate.check() })
            if let states = try entities.refusal(of: commit.expecting) { return Committed(outcome: .refused(states)) }
            var journal = JournalWriter(db) { point in reached?(point) }
            let commit = try commit.naming(unwritten.written).keeping {
                try journal.lastLease(beforeRemovalOf: $0)
            } isCurrent: {
                try journal.isCurrent($0)
            } isSettled: {
                try journal.isSettled($0)
            } hasRow: {
                try EntityTables(db: db).has($0)
            }
            let versions = try entities.write(commit.entities, &news)
            news.stirsJournal = commit.isJournalNews
            news.hasEnqueued = !commit.enqueued.isEmpty
            var committed = try journal.apply(commit, remembering: memory)
            committed.outcome = .committed(versions)
            return committed
        }
        file.unwritten.forget(commit.released)
        return committed
    }

    public func news() -> AsyncStream<Void> {
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

    /// As ``SQLiteEntityStore/removeAll(of:)``: with what was to be delivered for the account.
    @discardableResult
    public func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await entities.removeAll(of: account)
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        entities.changes(of: account, kind: kind)
    }

    public func changes(of account: Account?, since version: StoreVersion) -> EntityFeed {
        entities.changes(of: account, since: version)
    }
}
#endif
