#if SQLite
internal import GRDB
internal import WharfCore

/// The tables of a cache file.
///
/// Bodies have a table of their own: to mark an entry as used rewrites its row, which must not carry the body along. The total
/// is kept by triggers, so it is exact whoever writes, and reading it is no scan.
enum Schema {
    static let version: Int64 = 1
    /// "Whrf": tells a cache of ours from somebody's database.
    static let applicationID: Int64 = 0x5768_7266

    private static let objects: [(name: String, sql: String)] = [
        (
            "response",
            """
            CREATE TABLE response (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, method TEXT NOT NULL, \
            target TEXT NOT NULL, varying BLOB NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, head BLOB NOT NULL)
            """
        ),
        ("response_key", "CREATE UNIQUE INDEX response_key ON response (account, target, method, varying)"),
        ("response_used", "CREATE INDEX response_used ON response (used)"),
        ("body", "CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)"),
        (
            "total",
            "CREATE TABLE total (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL, tick INTEGER NOT NULL)"
        ),
        (
            "response_added",
            """
            CREATE TRIGGER response_added AFTER INSERT ON response BEGIN \
            UPDATE total SET bytes = bytes + NEW.size; END
            """
        ),
        (
            "response_resized",
            """
            CREATE TRIGGER response_resized AFTER UPDATE OF size ON response BEGIN \
            UPDATE total SET bytes = bytes + NEW.size - OLD.size; END
            """
        ),
        (
            "response_removed",
            """
            CREATE TRIGGER response_removed AFTER DELETE ON response BEGIN \
            DELETE FROM body WHERE id = OLD.id; UPDATE total SET bytes = bytes - OLD.size; END
            """
        ),
    ]

    /// Whose file this is, by its header.
    enum Owner {
        case ours(version: Int64)
        case nobody
    }

    /// Looks without writing.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when the file belongs to a newer version or to something else, and must stay as it
    ///   is: an older and a newer app may share it, and nobody's data is ours to move.
    static func owner(_ db: Database, path: String) throws -> Owner {
        let id = try db.integer("PRAGMA application_id") ?? 0
        let found = try db.integer("PRAGMA user_version") ?? 0
        if id == applicationID {
            guard found <= version else {
                throw StoreError(
                    .unavailable,
                    message: """
                        expected a cache of version \(version) at \(path), but found version \(found), made by a newer \
                        Wharf; it is left as it is: update this app, or give it a file of its own
                        """
                )
            }
            return .ours(version: found)
        }
        guard id == 0, found == 0, try db.integer("SELECT count(*) FROM sqlite_master") == 0 else {
            throw StoreError(
                .unavailable,
                message:
                    "expected a cache at \(path), but found another database; it is left as it is: choose another path"
            )
        }
        return .nobody
    }

    /// Makes the tables in a new file, and checks them in an old one.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` when the file is ours but not as it was made.
    static func prepare(_ db: Database, path: String) throws {
        if case .ours(let found) = try owner(db, path: path) { return try check(db, path: path, version: found) }
        try db.inTransaction(.immediate) {
            for object in objects { try db.execute(sql: object.sql) }
            try db.execute(sql: "INSERT INTO total VALUES (1, 0, 0)")
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    private static func check(_ db: Database, path: String, version found: Int64) throws {
        var missing = Dictionary(uniqueKeysWithValues: objects.map { ($0.name, $0.sql) })
        try db.query("SELECT name, sql FROM sqlite_master") { row in
            while try row.step() {
                if missing[row.text(0)] == row.text(1) { missing[row.text(0)] = nil }
            }
        }
        let total = missing.isEmpty ? try db.integer("SELECT count(*) FROM total") : 0
        guard found == version, missing.isEmpty, total == 1 else {
            let what = missing.isEmpty ? "version \(found)" : missing.keys.sorted().joined(separator: ", ") + " differ"
            throw StoreError(
                .corrupt, message: "expected the tables of a cache of version \(version) at \(path), but found: \(what)"
            )
        }
    }
}
#endif
