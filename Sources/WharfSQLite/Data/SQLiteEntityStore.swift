#if SQLite
internal import GRDB
public import WharfCore

/// Keeps entities in a data file, with an index for each field.
///
/// - A query that is sorted by one field walks that field's index, so its first page takes the same time whatever the number of
///   entities. Each further condition is one look at an index for each entity that is passed on the way.
/// - A field that first appears is added to all entities of its kind, once.
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
        try await file.read("query entities") { try EntityTables(db: $0).rows(query, account, kind) }
    }

    public func commit(_ changes: [EntityChange]) async throws(StoreError) {
        try await file.commit("commit entities") { [reached = file.probe.reached, gate = file.gate] db, news in
            var writer = EntityWriter(db) { reached?($0) }
            for change in changes {
                try gate.check()
                try writer.write(change)
            }
            news.changes = changes.map { .key($0.key) }
        }
    }

    /// With what was to be delivered for the account. Nothing of it stays in the file, nor in its log: the file is written
    /// anew, which takes the time that a copy of the rest takes.
    ///
    /// - Throws: ``WharfCore/StoreError/Code/unavailable`` when somebody reads the log for so long that it can't be emptied, and
    ///   ``WharfCore/StoreError/Code/full`` when there is no room to write the rest anew. The entities are gone in both cases; to
    ///   call it again, or to open the file again, removes what is left of their bytes.
    public func removeAll(of account: Account?) async throws(StoreError) {
        try await file.removeAll(of: account)
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        file.feed.subscribe(to: account, kind: kind) { [weak file] () async throws(StoreError) in
            try await file?.read("look for changes") { _ in }
        }
    }
}
#endif
