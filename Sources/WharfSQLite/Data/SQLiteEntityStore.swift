#if SQLite
internal import GRDB
public import WharfCore

/// Keeps entities in a data file, with an index for each field.
///
/// - A query that is sorted by one field walks that field's index, so its first page takes the same
///   time whatever the number of entities. Each further condition is one look at an index for each
///   entity that is passed on the way.
/// - A field that first appears is added to all entities of its kind, once.
/// - The first search of a field's words (``WharfCore/Condition/hasWords(_:_:)``) makes a full-text
///   index of the field (FTS5), which takes as long as writing the texts. Commits keep it up to
///   date; removing an account drops it until the next search.
/// - The newest 9,000 to 10,000 changes of each account are in its log, with the tombstones among
///   them: a feed resumes there. A commit of more than 1,000 keys of an account begins the log
///   anew.
/// - Commits of other processes are told at the next look (`pollInterval`), at the latest.
public struct SQLiteEntityStore: EntityStore {
    private let file: SQLiteDataFile

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

    /// Makes the full-text indexes that a query needs and that are not there.
    ///
    /// If they can't be made, as on a full disk, the query reads every text: its answer is the
    /// same.
    private func indexWords(of query: RowQuery, _ account: Account?, _ kind: String) async {
        if query.condition.searchedFields.isEmpty { return }
        do throws(StoreError) {
            let isMissing = try await file.read("look for an index of words") { db in
                guard try WordTables(db: db).isAvailable else { return false }
                return try !EntityTables(db: db).unindexed(query.condition, account, kind).isEmpty
            }
            guard isMissing else { return }
            try await file.commit("index words") { [gate = file.gate] db, _ in
                // As of this transaction: a purge may have come in between, and numbers of fields
                // are used again.
                for name in try EntityTables(db: db).unindexed(query.condition, account, kind) {
                    try WordTables(db: db).make(name) { try gate.check() }
                }
            }
        } catch {
            // The query reports what it meets itself.
        }
    }

    @discardableResult
    public func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await file.commit("commit entities") { [reached = file.probe.reached, gate = file.gate] db, news in
            let commit = EntityCommit(db: db, reached: { reached?($0) }, check: { try gate.check() })
            if let states = try commit.refusal(of: expected) { return .refused(states) }
            return .committed(try commit.write(changes, &news))
        }
    }

    /// With what was to be delivered for the account. Nothing of it stays in the file, nor in its
    /// log: the file is written anew, which takes the time that a copy of the rest takes.
    ///
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` when somebody reads the log for so long
    ///   that it can't be emptied, and ``WharfCore/StoreError/Code/full`` when there is no room to
    ///   write the rest anew. The entities are gone in both cases; to call it again, or to open the
    ///   file again, removes what is left of their bytes.
    @discardableResult
    public func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await file.removeAll(of: account)
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        file.feed.subscribe(to: account, kind: kind) { [weak file] () async throws(StoreError) in
            try await file?.look()
        }
    }

    public func changes(of account: Account?, since version: StoreVersion) -> EntityFeed {
        file.feed.follow(account, since: version) { [weak file] (version) throws(StoreError) in
            try await file?.read("read changes") { try VersionTables(db: $0).changes(of: account, since: version) }
                ?? nil
        } polling: { [weak file] () async throws(StoreError) in
            try await file?.look()
        }
    }
}
#endif
