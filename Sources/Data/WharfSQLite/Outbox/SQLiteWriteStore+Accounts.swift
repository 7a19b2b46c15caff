#if SQLite
internal import GRDB
public import WharfCore

extension SQLiteWriteStore {
    /// Returns the accounts that the journal has, or had, entries or pauses of.
    ///
    /// The order is undefined. nil stands for entries without an account.
    public func accounts() async throws(StoreError) -> Set<Account?> {
        try await file.read("list the accounts with entries") { db in
            let sql = "SELECT account FROM outbox_route UNION SELECT account FROM outbox_pause"
            return try db.query(sql) { row in
                var accounts: Set<Account?> = []
                while try row.step() { accounts.insert(RowKey.account(row.text(0))) }
                return accounts
            }
        }
    }

    /// Returns the names of an account's destinations, present and past.
    public func destinations(of account: Account?) async throws(StoreError) -> Set<String> {
        try await file.read("list the destinations of entries") { db in
            let sql = """
                SELECT destination FROM outbox_route WHERE account = ?1 \
                UNION SELECT destination FROM outbox_pause WHERE account = ?1
                """
            return try db.query(sql) { row in
                try row.bind(RowKey.account(account), at: 1)
                var names: Set<String> = []
                while try row.step() { names.insert(row.text(0)) }
                return names
            }
        }
    }
}
#endif
