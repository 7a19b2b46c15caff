#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

extension SQLiteDataFile {
    /// Removes an account's entities and journal entries, and then every byte of them.
    ///
    /// The file records an unfinished removal of bytes, and the next opening continues it.
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        let column = RowKey.account(account)
        let version = try await commit("remove an account") { db, effects in
            let scopes = try db.query("SELECT id FROM scope WHERE account = ?") { row in
                try row.bind(column, at: 1)
                var ids: [Int64] = []
                while try row.step() { ids.append(row.integer(0)) }
                return ids
            }
            // Full-text tables keep parts of deleted texts in their segments.
            try WordTables(db: db).dropAll()
            let versions = VersionTables(db: db)
            let version = try versions.next(of: account)
            // The log of the account is gone. Expectations and feeds older than this commit must be
            // refused.
            try versions.raiseFloor(of: account, to: version)
            for scope in scopes {
                // Fields first, because they are found by the names.
                for table in ["field WHERE name IN (SELECT id FROM name WHERE scope = ?)", "name WHERE scope = ?"]
                    + ["entity WHERE scope = ?", "scope WHERE id = ?"]
                {
                    try db.query("DELETE FROM \(table)") { row in
                        try row.bind(scope, at: 1)
                        _ = try row.step()
                    }
                }
            }
            var journal = JournalWriter(db) { _ in }
            effects.notifiesJournal = try journal.removeAll(of: account)
            effects.versions = [
                VersionTables.AccountChanges(
                    account: account, since: StoreVersion(version.number - 1), element: .everything(reached: version))
            ]
            // In the same transaction: a process killed after the commit leaves a mark, and the
            // next opening erases the bytes.
            if effects.notifiesJournal || !scopes.isEmpty { try Wipe(db: db).begin() }
            return version
        }
        // VACUUM can't run inside a transaction.
        try await finishWipe()
        return version
    }

    /// Rewrites the file and empties its log, if bytes of a removed account may remain.
    func finishWipe() async throws(StoreError) {
        try await write("erase removed rows") { [probe, path] db in
            try Wipe(db: db).finish("rows", in: path) { probe.reached?($0) }
        }
    }
}
#endif
