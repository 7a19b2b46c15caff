#if SQLite
internal import GRDB
public import WharfCore

extension SQLiteWriteStore {
    /// Those of which the journal has, or had, something; nil for nobody's. In no order.
    public func accounts() async throws(StoreError) -> Set<Account?> {
        try await file.read("look whose entries there are") { db in
            let sql = "SELECT account FROM outbox_route UNION SELECT account FROM outbox_pause"
            return try db.query(sql) { row in
                var accounts: Set<Account?> = []
                while try row.step() { accounts.insert(RowKey.account(row.text(0))) }
                return accounts
            }
        }
    }

    /// The names of the destinations of which the journal has, or had, something of an account.
    public func destinations(of account: Account?) async throws(StoreError) -> Set<String> {
        try await file.read("look where entries go") { db in
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
