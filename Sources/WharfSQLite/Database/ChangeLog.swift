#if SQLite
internal import GRDB
internal import WharfCore

/// What was committed lately, by whatever process, so that another one can tell its readers which keys.
///
/// Numbers go up by commit order. The oldest entries are dropped; who has not seen them takes everything for changed.
struct ChangeLog {
    enum Change: Hashable, Sendable {
        case key(EntityKey)
        /// Anything of one account: it was removed.
        case account(Account?)
        case everything
    }

    struct Entry: Hashable, Sendable {
        let seq: Int64
        let change: Change
    }

    private static let kept: Int64 = 10_000
    /// A commit of more is logged as all of its accounts: readers take more keys than this for all anyway.
    private static let mostKeys = 1_000

    let db: Database

    func last() throws -> Int64 { try db.integer("SELECT max(seq) FROM change") ?? 0 }

    func entries(after seen: Int64) throws -> [Entry] {
        let last = try last()
        guard last > seen else { return [] }
        let first = try db.integer("SELECT min(seq) FROM change") ?? 0
        guard first <= seen + 1 else { return [Entry(seq: last, change: .everything)] }
        let sql = """
            SELECT c.seq, c.scope IS NULL, c.key IS NULL, c.key, s.account, s.kind \
            FROM change c LEFT JOIN scope s ON s.id = c.scope WHERE c.seq > ? ORDER BY c.seq
            """
        return try db.query(sql) { row in
            try row.bind(seen, at: 1)
            var entries: [Entry] = []
            while try row.step() {
                let account = RowKey.account(row.text(4))
                let change: Change =
                    if row.integer(1) == 1 {
                        .everything
                    } else if row.integer(2) == 1 {
                        .account(account)
                    } else {
                        .key(EntityKey(account: account, kind: row.text(5), id: row.text(3)))
                    }
                entries.append(Entry(seq: row.integer(0), change: change))
            }
            return entries
        }
    }

    /// - Parameter last: the last number that was given, which may have been removed since.
    /// - Returns: the last number now.
    func append(_ changes: [Change], after last: Int64) throws -> Int64 {
        var seq = last
        for (scope, key) in try logged(changes) {
            seq += 1
            try db.query("INSERT INTO change (seq, scope, key) VALUES (?, ?, ?)") { row in
                try row.bind(seq, at: 1)
                if let scope { try row.bind(scope, at: 2) }
                if let key { try row.bind(key, at: 3) }
                _ = try row.step()
            }
        }
        try db.query("DELETE FROM change WHERE seq <= ?") { row in
            try row.bind(seq - Self.kept, at: 1)
            _ = try row.step()
        }
        return seq
    }

    /// Each change as it stands in the columns.
    private func logged(_ changes: [Change]) throws -> [(scope: Int64?, key: String?)] {
        var scopes: [EntityKey: Int64] = [:]
        var logged: [(scope: Int64?, key: String?)] = []
        for change in changes {
            guard case .key(let key) = change else { return [(nil, nil)] }
            let known = scopes[key.scope]
            // Nothing can have been removed from a scope that is not there.
            guard let scope = try known ?? EntityTables(db: db).scope(key.account, key.kind) else { continue }
            scopes[key.scope] = scope
            logged.append((scope, key.id))
        }
        return logged.count <= Self.mostKeys ? logged : scopes.values.map { ($0, nil) }
    }
}
#endif
