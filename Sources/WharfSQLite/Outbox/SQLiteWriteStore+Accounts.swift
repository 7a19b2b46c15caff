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
}
#endif
