#if SQLite
internal import GRDB
internal import WharfCore

// The journal remembers assigned ids and discarded entries for dependents that come later.
extension JournalWriter {
    /// Forgets the assigned ids beyond the newest `size`, whole entries at a time.
    func forgetIDs(but size: Int) throws { try forget("outbox_assigned", by: "entry", but: size) }

    /// Forgets all discarded entries but the newest `size`.
    func forgetDiscarded(but size: Int) throws { try forget("outbox_discarded", by: "id", but: size) }

    /// - Parameter column: the column with the entry's id.
    private func forget(_ table: String, by column: String, but size: Int) throws {
        // `n` never falls, so at most `size` rows are above the bound.
        let bound = try (db.integer("SELECT max(n) FROM \(table)") ?? 0) - Int64(size)
        let entries = try db.query("SELECT \(column), account FROM \(table) WHERE n <= ?") { row in
            try row.bind(bound, at: 1)
            var found: [(entry: String, account: String)] = []
            while try row.step() { found.append((row.text(0), row.text(1))) }
            return found
        }
        if entries.isEmpty { return }
        for (entry, account) in entries where !entry.isEmpty {
            try db.run("DELETE FROM \(table) WHERE \(column) = ?") { try $0.bind(entry, at: 1) }
            // Noted in the same transaction. A later dependent must not take the missing rows for
            // "no ids assigned".
            try note(entry, of: account)
        }
        // Rows without an entry remain; they go one by one.
        try db.run("DELETE FROM \(table) WHERE n <= ?") { try $0.bind(bound, at: 1) }
    }

    private func note(_ entry: String, of account: String) throws {
        let sql = """
            INSERT INTO outbox_forgotten (account, newest) VALUES (?, ?) \
            ON CONFLICT (account) DO UPDATE SET newest = max(newest, excluded.newest)
            """
        try db.run(sql) { row in
            try row.bind(account, at: 1)
            try row.bind(entry, at: 2)
        }
    }

    /// The failure of a new entry with a discarded or forgotten dependency; nil if none.
    func obstacle(_ entry: OutboxEntry) throws -> DeliveryFailure? {
        let dependencies = entry.dependencies.sorted()
        // Discarded first: that is known for certain.
        let gone = try dependencies.first { try isThere("SELECT 1 FROM outbox_discarded WHERE id = ?", $0) }
        if let gone { return .discarded(gone) }
        let account = RowKey.account(entry.account)
        return try dependencies.first { try mayBeForgotten($0, of: account) }.map(DeliveryFailure.forgotten)
    }

    /// Whether the journal may have forgotten an entry, or some of its assigned ids.
    ///
    /// - Parameter account: the account of the dependent entry.
    func mayBeForgotten(_ entry: OutboxEntry.ID, of account: String) throws -> Bool {
        let newest = try db.query("SELECT newest FROM outbox_forgotten WHERE account = ?") { row in
            try row.bind(account, at: 1)
            return try row.step() ? OutboxEntry.ID(row.text(0)) : nil
        }
        // Ids are ordered by time, so a greater id was not forgotten.
        guard let newest, entry <= newest else { return false }
        // Its ids are remembered as a whole.
        if try isThere("SELECT 1 FROM outbox_assigned WHERE entry = ?", entry) { return false }
        // The entry is gone without a trace: it may be one of the forgotten.
        guard let head = try entries.head(entry) else { return true }
        // It is still here, but a delivery that was settled may have assigned ids.
        return try db.query("SELECT 1 FROM outbox_settled WHERE seq = ?") { row in
            try row.bind(head.seq, at: 1)
            return try row.step()
        }
    }

    private func isThere(_ sql: String, _ entry: OutboxEntry.ID) throws -> Bool {
        try db.query(sql) { row in
            try row.bind(entry.text, at: 1)
            return try row.step()
        }
    }
}
#endif
