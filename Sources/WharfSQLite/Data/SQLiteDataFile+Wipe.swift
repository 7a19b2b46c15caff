#if SQLite
internal import GRDB
internal import WharfCore

extension SQLiteDataFile {
    /// Removes an account's entities, and then every byte of them.
    ///
    /// `secure_delete` is not enough: SQLite leaves copies in the gaps of pages that it splits. So the file is written anew
    /// (`VACUUM`) and the log emptied. Until that is done the file says so, and opening it again goes on.
    func removeAll(of account: Account?) async throws(StoreError) {
        let column = RowKey.account(account)
        try await commit("remove the entities of an account") { db in
            let scopes = try db.query("SELECT id FROM scope WHERE account = ?") { row in
                try row.bind(column, at: 1)
                var ids: [Int64] = []
                while try row.step() { ids.append(row.integer(0)) }
                return ids
            }
            for scope in scopes {
                for table in ["field WHERE name IN (SELECT id FROM name WHERE scope = ?)", "name WHERE scope = ?"]
                    + ["entity WHERE scope = ?", "change WHERE scope = ?", "scope WHERE id = ?"]
                {
                    try db.query("DELETE FROM \(table)") { row in
                        try row.bind(scope, at: 1)
                        _ = try row.step()
                    }
                }
            }
            if scopes.isEmpty { return [] }
            try db.execute(sql: "INSERT OR IGNORE INTO wipe VALUES (1)")
            return [.account(account)]
        }
        try await finishWipe()
    }

    /// Writes the file anew and empties its log, if somebody was removed whose bytes may still be there.
    func finishWipe() async throws(StoreError) {
        try await write("wipe what was removed") { [probe, path] db in
            guard try db.integer("SELECT count(*) FROM wipe") ?? 0 > 0 else { return }
            probe.reached?(.removed)
            try db.execute(sql: "VACUUM")
            probe.reached?(.rewritten)
            guard try db.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
                throw StoreError(
                    .unavailable,
                    message: """
                        expected to empty the log of \(path), but somebody reads it; the entities are removed, and their bytes \
                        are when it is tried again or the file is opened again
                        """
                )
            }
            try db.execute(sql: "DELETE FROM wipe")
        }
    }
}
#endif
