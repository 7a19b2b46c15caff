#if SQLite
internal import GRDB

/// The statements on values by name, each to be run inside a transaction.
struct ValueTable {
    let db: Database

    func value(for key: String) throws -> [UInt8]? {
        try db.query("SELECT bytes FROM value WHERE key = ?") { row in
            try row.bind(key, at: 1)
            return try row.step() ? try row.withBlob(0) { [UInt8]($0) } : nil
        }
    }

    /// - Parameter value: nil removes it.
    func set(_ value: [UInt8]?, for key: String) throws {
        // A replacement writes one row, and needs no read.
        let sql =
            value == nil ? "DELETE FROM value WHERE key = ?" : "INSERT OR REPLACE INTO value (key, bytes) VALUES (?, ?)"
        try db.query(sql) { row in
            try row.bind(key, at: 1)
            if let value { try row.bind(value, at: 2) }
            _ = try row.step()
        }
    }

    /// Returns the names with a prefix, in the order of their bytes.
    func keys(withPrefix prefix: String) throws -> [String] {
        try db.query("SELECT key FROM value WHERE key >= ? AND key < ? ORDER BY key") { row in
            try row.bind(prefix, at: 1)
            try row.bind(beyond: prefix, at: 2)
            var keys: [String] = []
            while try row.step() { keys.append(row.text(0)) }
            return keys
        }
    }
}
#endif
