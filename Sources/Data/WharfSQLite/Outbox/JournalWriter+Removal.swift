#if SQLite
internal import GRDB
internal import WharfCore

extension JournalWriter {
    /// Removes everything of an account from the journal.
    ///
    /// - Returns: whether there was anything.
    mutating func removeAll(of account: Account?) throws -> Bool {
        let column = RowKey.account(account)
        // Read before the deletion, which removes the entries that the query joins.
        // The entries of other accounts that depend on a removed one.
        let dependents = """
            SELECT g.id, d.seq FROM outbox_entry g CROSS JOIN outbox_dependency d ON d.id = g.id \
            CROSS JOIN outbox_entry e ON e.seq = d.seq WHERE g.account = ?1 AND e.account <> ?1
            """
        let others = try db.query(dependents) { row in
            try row.bind(column, at: 1)
            var found: [Int64] = []
            while try row.step() { found.append(row.integer(1)) }
            return found
        }
        let before = db.totalChangesCount
        let ofEntries = "WHERE seq IN (SELECT seq FROM outbox_entry WHERE account = ?)"
        // Rows that refer to entries go first: they are found by the entries.
        for table in ["outbox_dead", "outbox_waiting", "outbox_settled", "outbox_dependency"].map({
            "\($0) \(ofEntries)"
        })
            + ["outbox_delivery WHERE lane IN (SELECT id FROM outbox_lane WHERE account = ?)"]
            + ["entry", "lane", "route", "assigned", "discarded", "forgotten", "pause"].map({
                "outbox_\($0) WHERE account = ?"
            })
        {
            try db.run("DELETE FROM \(table)") { try $0.bind(column, at: 1) }
        }
        let isChanged = db.totalChangesCount > before
        // A settlement in flight may arrive later. Its lease is not above this number, so its rows
        // are left out.
        try noteRemoval(of: column)
        // Their dependency is gone, as after a settlement.
        for seq in others { try change(unmetOf: seq, by: -1) }
        try flush()
        return isChanged
    }

    /// Records the removal under a hash, so that nothing of the account's name remains.
    private func noteRemoval(of account: String) throws {
        let sql = """
            INSERT INTO outbox_removed (account, lease) SELECT ?, leases FROM outbox_state WHERE leases > 0 \
            ON CONFLICT (account) DO UPDATE SET lease = excluded.lease
            """
        try db.run(sql) { try $0.bind(Self.hash(account), at: 1) }
    }

    /// The last lease before an account was removed; nil if it never was.
    func lastLease(beforeRemovalOf account: Account?) throws -> Int64? {
        try db.query("SELECT lease FROM outbox_removed WHERE account = ?") { row in
            try row.bind(Self.hash(RowKey.account(account)), at: 1)
            return try row.step() ? row.integer(0) : nil
        }
    }

    private static func hash(_ account: String) -> Int64 { Int64(bitPattern: XXH64.hash(Array(account.utf8))) }
}
#endif
