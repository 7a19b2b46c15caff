#if SQLite
internal import GRDB

/// Counts the commits that others may have to hear of, and the leases.
struct JournalTick {
    let db: Database

    /// Goes up with each of those commits; an entry that comes counts as one.
    func last() throws -> Int64 {
        let entries = try db.integer("SELECT seq FROM sqlite_sequence WHERE name = 'outbox_entry'") ?? 0
        return try entries + (db.integer("SELECT commits FROM outbox_state") ?? 0)
    }

    func next() throws -> Int64 {
        try db.run(
            """
            INSERT INTO outbox_state (id, commits, leases) VALUES (1, 1, 0) \
            ON CONFLICT (id) DO UPDATE SET commits = commits + 1
            """)
        return try last()
    }

    /// - Returns: the number of the first of so many new leases.
    func lease(_ count: Int) throws -> Int64 {
        let last = try db.query(
            """
            INSERT INTO outbox_state (id, commits, leases) VALUES (1, 0, ?1) \
            ON CONFLICT (id) DO UPDATE SET leases = leases + ?1 RETURNING leases
            """
        ) { row in
            try row.bind(Int64(count), at: 1)
            return try row.step() ? row.integer(0) : 0
        }
        return last - Int64(count) + 1
    }
}
#endif
