#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// The statements on versions, tombstones and the log of changes.
///
/// Each is to be run inside a transaction.
///
/// - Invariant: the log holds every change of an account with a version above its floor, and no
///   other. Tombstones belong to such changes.
/// - The log is append-only, so a commit writes one page of it. An index of the rows by version
///   would write two more, and the account's row a third.
/// - A commit of more than ``mostKeys`` keys is not logged: it raises the floor to its version.
struct VersionTables {
    struct AccountVersions {
        var version = StoreVersion.none
        var floor = StoreVersion.none
    }

    /// An account whose changes have readers, and the version that they have reached.
    struct WatchedAccount: Sendable {
        let account: Account?
        let seen: StoreVersion
    }

    /// The commits of an account after a version, for readers.
    struct AccountChanges: Sendable {
        let account: Account?
        let since: StoreVersion
        let element: EntityFeed.Element
    }

    /// The most keys of a commit that is logged.
    static let mostKeys = 1_000

    let db: Database

    /// The id of an account's version: a hash.
    ///
    /// So nothing of its name remains after a purge. Two accounts with one hash would share a
    /// counter. Their numbers would have gaps, and their expectations would be refused more often.
    static func id(_ account: Account?) -> Int64 {
        Int64(bitPattern: XXH64.hash(Array(RowKey.account(account).utf8)))
    }

    // MARK: Reading

    /// Returns the version and floor of an account.
    ///
    /// The version comes from the log, or from the account's row if the log has no change of it.
    func versions(of account: Account?) throws -> AccountVersions {
        let sql = "SELECT \(Self.version), coalesce((SELECT floor FROM account WHERE id = ?1), 0)"
        return try db.query(sql) { row in
            try row.bind(Self.id(account), at: 1)
            guard try row.step() else { return AccountVersions() }
            return AccountVersions(version: StoreVersion(row.integer(0)), floor: StoreVersion(row.integer(1)))
        }
    }

    // The log first: it has the newest version of an account unless the last commit raised the
    // floor.
    private static let version = """
        coalesce((SELECT max(version) FROM change WHERE account = ?1), (SELECT version FROM account WHERE id = ?1), 0)
        """

    /// Returns the version of an account's next commit.
    ///
    /// Until the commit is logged, no other can run.
    func next(of account: Account?) throws -> StoreVersion {
        try db.query("SELECT \(Self.version)") { row in
            try row.bind(Self.id(account), at: 1)
            return try row.step() ? StoreVersion(row.integer(0)).next : .none
        }
    }

    /// Returns the versions of all accounts, by ``id(_:)``.
    func all() throws -> [Int64: StoreVersion] {
        try db.query(
            // An account has a row, changes in the log, or both. The greater version counts.
            "SELECT id, version FROM account UNION ALL SELECT account, max(version) FROM change GROUP BY account"
        ) { row in
            var all: [Int64: StoreVersion] = [:]
            while try row.step() {
                all[row.integer(0)] = max(all[row.integer(0)] ?? .none, StoreVersion(row.integer(1)))
            }
            return all
        }
    }

    /// Returns the version of a tombstone.
    func tombstone(_ scope: Int64, _ key: String) throws -> StoreVersion? {
        try db.query("SELECT version FROM tombstone WHERE scope = ? AND key = ?") { row in
            try row.bind(scope, at: 1)
            try row.bind(key, at: 2)
            return try row.step() ? StoreVersion(row.integer(0)) : nil
        }
    }

    /// Returns the changes since a version; nil if there are none.
    func changes(of account: Account?, since version: StoreVersion) throws -> EntityFeed.Element? {
        let now = try versions(of: account)
        // A version above the account's comes from another file.
        // Changes at or below the floor are gone, so the reader can't be told which keys they were.
        if version < now.floor || version > now.version { return .everything(reached: now.version) }
        if version == now.version { return nil }
        // The log has the account's hash. The scope's account excludes another account with the
        // same hash.
        let sql = """
            SELECT s.kind, c.key, c.version, c.removed FROM change c CROSS JOIN scope s ON s.id = c.scope \
            WHERE c.account = ? AND c.version > ? AND s.account = ? ORDER BY c.version
            """
        return try db.query(sql) { row in
            try row.bind(Self.id(account), at: 1)
            try row.bind(version.number, at: 2)
            try row.bind(RowKey.account(account), at: 3)
            var changes: [EntityKey: EntityFeed.Change] = [:]
            while try row.step() {
                // In the order of versions, so the last change of a key counts.
                changes[EntityKey(account: account, kind: row.text(0), id: row.text(1))] =
                    EntityFeed.Change(version: StoreVersion(row.integer(2)), isRemoval: row.integer(3) == 1)
            }
            return .changes(changes, reached: now.version)
        }
    }

    /// Returns the commits that the readers have not been told.
    func accountChanges(for watched: [WatchedAccount]) throws -> [AccountChanges] {
        try watched.compactMap { watch in
            guard let element = try changes(of: watch.account, since: watch.seen) else { return nil }
            return AccountChanges(account: watch.account, since: watch.seen, element: element)
        }
    }

    // MARK: Writing

    /// Logs a change of a commit.
    func log(_ scope: Int64, _ key: String, of account: Int64, at version: StoreVersion, isRemoval: Bool) throws {
        // One commit may change a key twice. The last change stays.
        let sql = "INSERT OR REPLACE INTO change (account, version, scope, key, removed) VALUES (?, ?, ?, ?, ?)"
        try db.run(sql) { row in
            try row.bind(account, at: 1)
            try row.bind(version.number, at: 2)
            try row.bind(scope, at: 3)
            try row.bind(key, at: 4)
            try row.bind(Int64(isRemoval ? 1 : 0), at: 5)
        }
    }

    /// Drops the log and the tombstones of an account, and sets its floor to a version.
    func raiseFloor(of account: Account?, to version: StoreVersion) throws {
        let id = Self.id(account)
        // The log and its tombstones go together: a tombstone belongs to a change above the floor.
        try db.run("DELETE FROM change WHERE account = ?") { try $0.bind(id, at: 1) }
        let tombstones = "DELETE FROM tombstone WHERE scope IN (SELECT id FROM scope WHERE account = ?)"
        try db.run(tombstones) { try $0.bind(RowKey.account(account), at: 1) }
        try setAccount(id, version: version, floor: version)
    }

    func setAccount(_ id: Int64, version: StoreVersion, floor: StoreVersion) throws {
        try db.run("INSERT OR REPLACE INTO account (id, version, floor) VALUES (?, ?, ?)") { row in
            try row.bind(id, at: 1)
            try row.bind(version.number, at: 2)
            try row.bind(floor.number, at: 3)
        }
    }

    func addTombstone(_ scope: Int64, _ key: String, at version: StoreVersion) throws {
        try db.run("INSERT OR REPLACE INTO tombstone (scope, key, version) VALUES (?, ?, ?)") { row in
            try row.bind(scope, at: 1)
            try row.bind(key, at: 2)
            try row.bind(version.number, at: 3)
        }
    }

    func removeTombstone(_ scope: Int64, _ key: String) throws {
        try db.run("DELETE FROM tombstone WHERE scope = ? AND key = ?") { row in
            try row.bind(scope, at: 1)
            try row.bind(key, at: 2)
        }
    }

    /// Prunes the oldest changes if the log exceeds the bound.
    ///
    /// It prunes to nine tenths of the bound, so that one count serves many commits.
    ///
    /// - Parameter version: the last commit's.
    func prune(_ account: Account?, at version: StoreVersion, bound: Int) throws {
        let id = Self.id(account)
        let count = try db.query("SELECT count(*) FROM change WHERE account = ?") { row in
            try row.bind(id, at: 1)
            return try row.step() ? row.integer(0) : 0
        }
        guard count > bound else { return }
        let last = "SELECT version FROM change WHERE account = ? ORDER BY version LIMIT 1 OFFSET ?"
        let floor = try db.query(last) { row in
            try row.bind(id, at: 1)
            // The last change to prune. The floor is its version, and all changes of that version
            // go with it.
            try row.bind(count - Int64(bound - bound / 10) - 1, at: 2)
            return try row.step() ? row.integer(0) : 0
        }
        // A key that was changed since has a newer tombstone version, and keeps its tombstone.
        let tombstones = """
            DELETE FROM tombstone WHERE version <= ?2 AND (scope, key) IN \
            (SELECT scope, key FROM change WHERE account = ?1 AND version <= ?2 AND removed = 1)
            """
        // Tombstones first: they are found by the changes that are removed next.
        for sql in [tombstones, "DELETE FROM change WHERE account = ? AND version <= ?"] {
            try db.run(sql) { row in
                try row.bind(id, at: 1)
                try row.bind(floor, at: 2)
            }
        }
        // The row also keeps the version, for the case that the log is emptied later.
        try setAccount(id, version: version, floor: StoreVersion(floor))
    }
}
#endif
