#if SQLite
internal import GRDB
internal import WharfCore

extension SalvageReader {
    /// Copies the remembered ids and discarded entries, in the order of their arrival.
    func copyMemory(to target: Database, _ isWhole: inout Bool) throws {
        for (table, columns, key) in [
            ("outbox_assigned", ["account", "temporary", "given", "entry"], "account, temporary"),
            ("outbox_discarded", ["id", "account"], "id"),
        ] {
            var rows: [Int64: [String]] = [:]
            let sql = "SELECT n, \(columns.joined(separator: ", ")) FROM \(table)"
            walk(sql, by: ["NOT INDEXED ORDER BY n", "ORDER BY \(key)"], &isWhole) { row in
                rows[row.integer(0)] = columns.indices.map { row.text(Int32($0 + 1)) }
            }
            let places = repeatElement("?", count: columns.count).joined(separator: ", ")
            // Damage may show one row under two numbers, which the unique index would refuse.
            let insertion =
                "INSERT OR REPLACE INTO \(table) (n, \(columns.joined(separator: ", "))) VALUES (?, \(places))"
            for (n, texts) in rows.sorted(by: { $0.key < $1.key }) {
                // The numbers stay: the oldest rows are forgotten first.
                try target.run(insertion) { row in
                    try row.bind(n, at: 1)
                    for (index, text) in texts.enumerated() { try row.bind(text, at: Int32(index + 2)) }
                }
            }
        }
        var forgotten: [String: String] = [:]
        walk("SELECT account, newest FROM outbox_forgotten", by: ["ORDER BY account"], &isWhole) { row in
            forgotten[row.text(0)] = row.text(1)
        }
        for (account, newest) in forgotten {
            try target.run("INSERT OR REPLACE INTO outbox_forgotten (account, newest) VALUES (?, ?)") { row in
                try row.bind(account, at: 1)
                try row.bind(newest, at: 2)
            }
        }
    }

    /// Marks every account as if an entry of now was the newest forgotten one.
    func forgetAll(in target: Database) throws {
        let sql = """
            INSERT INTO outbox_forgotten (account, newest) SELECT account, ?1 FROM (\
            SELECT account FROM outbox_route UNION SELECT account FROM outbox_assigned \
            UNION SELECT account FROM outbox_discarded) WHERE true \
            ON CONFLICT (account) DO UPDATE SET newest = max(newest, excluded.newest)
            """
        // The least id of its time: a later entry has a greater one, and is not forgotten.
        var zeros = Zeros()
        let newest = OutboxEntry.ID(at: now, using: &zeros)
        try target.run(sql) { try $0.bind(newest.text, at: 1) }
    }

    private struct Zeros: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0 }
    }
}
#endif
