public import GRDB

/// A database with heads and bodies in one table, by target.
///
/// It has the bytes of a cache file, without the checks and the order of eviction.
public struct Rows: Sendable {
    private let directory: String

    /// Uses the database in a directory.
    public init(in directory: String) { self.directory = directory }

    /// Uses the directory that the environment names.
    public static func fromEnvironment() throws -> Rows { Rows(in: try CacheFiles.directory) }

    /// Opens the database with these entries.
    public func open(_ entries: Entries) throws -> DatabasePool {
        try DatabasePool(path: "\(directory)/rows-\(entries.count)x\(entries.length).sqlite")
    }

    /// Creates the database from the cache file with these entries.
    public func fill(_ entries: Entries) async throws {
        let pool = try open(entries)
        try await pool.writeWithoutTransaction { db in
            try db.execute(
                sql: "ATTACH ? AS cache", arguments: [CacheFiles(in: directory).path(entries)])
            try db.execute(
                sql: """
                    CREATE TABLE entry (target TEXT PRIMARY KEY, head BLOB NOT NULL, bytes BLOB NOT NULL);
                    INSERT INTO entry SELECT target, head, bytes FROM cache.response JOIN cache.body USING (id)
                    """)
        }
        try pool.close()
    }
}
