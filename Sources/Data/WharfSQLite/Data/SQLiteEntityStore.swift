#if SQLite
internal import GRDB
public import WharfCore
public import WharfStorage

/// Entities in a data file, with an index for each field.
///
/// - A query that is sorted by one field walks that field's index. So its first page takes the same
///   time for any number of entities. Each further condition is one index lookup for each entity
///   passed on the way.
/// - A field that first appears is added to all entities of its kind, once.
/// - The first search of a field's words (``WharfCore/Condition/hasWords(_:_:)``) creates a
///   full-text index of the field (FTS5), which takes as long as writing the texts. Commits keep it
///   up to date; removing an account drops it until the next search.
/// - The log of each account holds its newest 9,000 to 10,000 changes, including tombstones. A feed
///   can resume anywhere in it. A commit of more than 1,000 keys of an account starts the log
///   again.
/// - Commits of other processes are reported after `pollInterval` at the latest.
public struct SQLiteEntityStore: EntityStore {
    private let file: SQLiteDataFile

    /// Creates a store on an open data file.
    public init(_ file: SQLiteDataFile) { self.file = file }

    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        try await file.read("read an entity") { try EntityTables(db: $0).row(key) }
    }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        try await file.read("read entities") { try EntityTables(db: $0).rows(keys) }
    }

    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        await indexWords(of: query, account, kind)
        return try await file.read("query entities") { try EntityTables(db: $0).rows(query, account, kind) }
    }

    public func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await file.read("read entities") { try EntityTables(db: $0).states(keys) }
    }

    public func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList {
        await indexWords(of: query, account, kind)
        return try await file.read("query entities") { try EntityTables(db: $0).list(query, account, kind) }
    }

    /// Creates the missing full-text indexes that a query needs.
    ///
    /// If they can't be created, as on a full disk, the query reads every text. Its answer is the
    /// same.
    private func indexWords(of query: RowQuery, _ account: Account?, _ kind: String) async {
        if query.condition.searchedFields.isEmpty { return }
        do throws(StoreError) {
            // A read first: the common case takes no write lock.
            let isMissing = try await file.read("look for an index of words") { db in
                guard try WordTables(db: db).isAvailable else { return false }
                return try !EntityTables(db: db).unindexed(query.condition, account, kind).isEmpty
            }
            guard isMissing else { return }
            try await file.commit("index words") { [gate = file.gate] db, _ in
                // Looked up again in this transaction: a purge may have come in between, and ids of
                // fields are reused.
                for name in try EntityTables(db: db).unindexed(query.condition, account, kind) {
                    try WordTables(db: db).make(name) { try gate.check() }
                }
            }
        } catch {
            // The query itself reports the error if it meets it.
        }
    }

    @discardableResult
    public func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await file.commit("commit entities") { [reached = file.probe.reached, gate = file.gate] db, effects in
            // A commit of many rows stops between two rows when the system's time runs out.
            let commit = EntityCommit(db: db, reached: { reached?($0) }, check: { try gate.check() })
            // Compared inside the immediate transaction, so no process can commit between the
            // comparison and the write.
            if let states = try commit.refusal(of: expected) { return .refused(states) }
            return .committed(try commit.write(changes, &effects))
        }
    }

    /// Removes an account's entities and its journal entries, with all of their bytes.
    ///
    /// Nothing of them stays in the file or its log. The file is rewritten, which takes as long as
    /// a copy of the rest.
    ///
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` when a long read by another process
    ///   keeps the log from being emptied. ``WharfCore/StoreError/Code/full`` when there is no room
    ///   to rewrite the file. The entities are gone in both cases. Call it again, or open the file
    ///   again, to remove the rest of their bytes.
    @discardableResult
    public func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await file.removeAll(of: account)
    }

    public func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        // A feed must not keep a file open that its owner has dropped.
        file.feed.follow(account, kind: kind, since: version) { [weak file] (version) throws(StoreError) in
            try await file?.read("read changes") { try VersionTables(db: $0).changes(of: account, since: version) }
                ?? nil
        } polling: { [weak file] () async throws(StoreError) in
            try await file?.look()
        }
    }
}
#endif
