#if SQLite
internal import GRDB

/// Counters of the leases, and of the commits that other processes have to notice.
struct JournalCounters {
    let db: Database

    /// A monotonic counter of those commits. Each new entry counts as one.
    func last() throws -> Int64 {
        // The sequence never shrinks, even if the newest entry is removed. `max(seq)` would.
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

    /// Assigns numbers to new leases.
    ///
    /// - Returns: the first of `count` numbers.
    func lease(_ count: Int) throws -> Int64 {
        // The numbers are fencing tokens, so they must grow. The transaction makes them unique
        // among processes.
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
