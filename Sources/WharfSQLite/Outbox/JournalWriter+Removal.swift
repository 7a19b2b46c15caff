#if SQLite
internal import GRDB
internal import WharfCore

extension JournalWriter {
    /// Removes everything of an account, and what it was told.
    ///
    /// - Returns: whether there was anything.
    mutating func removeAll(of account: Account?) throws -> Bool {
        let column = RowKey.account(account)
        // Of other accounts, which depend on what is removed.
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
        for seq in others { try change(unmetOf: seq, by: -1) }
        try flush()
        return isChanged
    }
}
#endif
