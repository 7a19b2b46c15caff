#if SQLite
internal import GRDB
public import WharfCore

/// A key-value store in a data file. Concurrent sets share a transaction.
public struct SQLiteKeyValueStore: KeyValueStore {
    private let file: SQLiteDataFile

    /// Creates a store on an open data file.
    public init(_ file: SQLiteDataFile) { self.file = file }

    public func value(for key: String) async throws(StoreError) -> [UInt8]? {
        try await file.read("read a value") { try ValueTable(db: $0).value(for: key) }
    }

    public func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        try await file.commit("set a value") { db, _ in
            try ValueTable(db: db).set(value, for: key)
        }
    }

    public func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await file.read("list the names of values") { try ValueTable(db: $0).keys(withPrefix: prefix) }
    }
}
#endif
