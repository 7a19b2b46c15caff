#if SQLite
extension Schema {
    /// The tables of a journal.
    ///
    /// A lane here is a lane as one destination sees it. Its pending deliveries lie together in
    /// `outbox_delivery`, in the order of their entries. The lane repeats the fields of its first
    /// delivery. So the due lanes are found by a walk along `outbox_due`, however many others wait.
    static let outboxTables: [(name: String, sql: String)] = [
        // At most one row: how many commits without a new entry other processes have to notice, and
        // the number of the last lease.
        (
            "outbox_state",
            "CREATE TABLE outbox_state (id INTEGER PRIMARY KEY, commits INTEGER NOT NULL, leases INTEGER NOT NULL)"
        ),
        // No `seq` is used twice. `open`: how many of its deliveries are waiting, pending or dead.
        // `unmet`: how many of its dependencies are in the journal. `plain`: whether it has one
        // destination, without a condition. `depends`: whether it has dependencies. `key` is NULL
        // if it is the id. `owed`: assigned ids that are not in the payload yet.
        (
            "outbox_entry",
            """
            CREATE TABLE outbox_entry (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, \
            open INTEGER NOT NULL, unmet INTEGER NOT NULL, attempted INTEGER NOT NULL, plain INTEGER NOT NULL, \
            depends INTEGER NOT NULL, account TEXT NOT NULL, lane TEXT NOT NULL, kind TEXT NOT NULL, \
            version INTEGER NOT NULL, key TEXT, enqueued_at INTEGER NOT NULL, form BLOB NOT NULL, owed BLOB, base BLOB, \
            payload BLOB NOT NULL)
            """
        ),
        // `pending`: its open deliveries, waiting or pending. `bounded`: how many of these may be
        // dropped for newer ones.
        (
            "outbox_route",
            """
            CREATE TABLE outbox_route (id INTEGER PRIMARY KEY, account TEXT NOT NULL, destination TEXT NOT NULL, \
            kind TEXT NOT NULL, pending INTEGER NOT NULL, bounded INTEGER NOT NULL, dropped_bounded INTEGER NOT NULL, \
            dropped_expired INTEGER NOT NULL, dropped_replaced INTEGER NOT NULL, UNIQUE (account, destination, kind))
            """
        ),
        // The first delivery: `head` is its entry and `route` its route. `ready`: since when it is
        // due; NULL while it waits for a dependency. `tried`: its `last`. `fresh`: whether that is
        // NULL. `head_at`: when its entry was enqueued.
        //
        // The last lease: `lease` is its number. `boot` and `until`: its end by the uptime of a
        // boot; `until` is NULL if it was released. `upto`: the last entry that was handed out.
        // `owner` is NULL if the lease ends by time alone, as in a file of version 3, or if the
        // owner was found dead.
        (
            "outbox_lane",
            """
            CREATE TABLE outbox_lane (id INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, \
            destination TEXT NOT NULL, pending INTEGER NOT NULL, bytes INTEGER NOT NULL, head INTEGER, route INTEGER, \
            ready INTEGER, fresh INTEGER, tried INTEGER, head_at INTEGER, lease INTEGER, boot TEXT, until INTEGER, upto INTEGER, \
            owner INTEGER, UNIQUE (account, name, destination))
            """
        ),
        // Times of attempts: `first` of all, `counted` the first that counts, and `last` (also NULL
        // after a person's retry). `lease`, here and below: the lease under which it was handed out
        // and not settled since.
        (
            "outbox_delivery",
            """
            CREATE TABLE outbox_delivery (lane INTEGER NOT NULL, seq INTEGER NOT NULL, route INTEGER NOT NULL, \
            class INTEGER NOT NULL, attempts INTEGER NOT NULL, first INTEGER, counted INTEGER, last INTEGER, \
            next INTEGER NOT NULL, lease INTEGER, failure BLOB, PRIMARY KEY (lane, seq)) WITHOUT ROWID
            """
        ),
        (
            "outbox_dead",
            """
            CREATE TABLE outbox_dead (seq INTEGER NOT NULL, destination TEXT NOT NULL, route INTEGER NOT NULL, \
            class INTEGER NOT NULL, attempts INTEGER NOT NULL, first INTEGER, died_at INTEGER NOT NULL, \
            failure BLOB NOT NULL, theirs BLOB, lease INTEGER, PRIMARY KEY (seq, destination)) WITHOUT ROWID
            """
        ),
        // Deliveries whose condition is not met. `since`: when the entry was enqueued. `at`: when
        // the condition is met by time.
        (
            "outbox_waiting",
            """
            CREATE TABLE outbox_waiting (seq INTEGER NOT NULL, destination TEXT NOT NULL, route INTEGER NOT NULL, \
            class INTEGER NOT NULL, since INTEGER NOT NULL, at INTEGER, PRIMARY KEY (seq, destination)) WITHOUT ROWID
            """
        ),
        // The settled deliveries of entries that are still in the journal.
        (
            "outbox_settled",
            """
            CREATE TABLE outbox_settled (seq INTEGER NOT NULL, destination TEXT NOT NULL, state INTEGER NOT NULL, \
            lease INTEGER, PRIMARY KEY (seq, destination)) WITHOUT ROWID
            """
        ),
        // The dependents of each entry, even of entries that are not in the journal.
        (
            "outbox_dependency",
            """
            CREATE TABLE outbox_dependency (id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (id, seq)) \
            WITHOUT ROWID
            """
        ),
        // `entry`: the entry with which the id was assigned; empty if other ids of it may be
        // forgotten. Here and below, the oldest rows go first, by `n`, and no `n` is used twice.
        (
            "outbox_assigned",
            """
            CREATE TABLE outbox_assigned (n INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, \
            temporary TEXT NOT NULL, given TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (account, temporary))
            """
        ),
        // Entries of which a person discarded a delivery.
        (
            "outbox_discarded",
            """
            CREATE TABLE outbox_discarded (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, \
            account TEXT NOT NULL)
            """
        ),
        // The newest entry of each account of which one of these two tables has lost a row.
        (
            "outbox_forgotten",
            "CREATE TABLE outbox_forgotten (account TEXT PRIMARY KEY, newest TEXT NOT NULL) WITHOUT ROWID"
        ),
        // Removed accounts, by hash, with the number of the last lease before the removal.
        (
            "outbox_removed",
            "CREATE TABLE outbox_removed (account INTEGER PRIMARY KEY, lease INTEGER NOT NULL)"
        ),
    ]

    /// The pauses, by account and destination.
    ///
    /// It is the last of all tables. The migration to version 7 creates it again, and SQLite keeps
    /// tables in the order of their creation, even in a `VACUUM`.
    static let pauseTable = (
        name: "outbox_pause",
        sql: """
        CREATE TABLE outbox_pause (account TEXT NOT NULL, destination TEXT NOT NULL, since INTEGER NOT NULL, \
        reason TEXT, PRIMARY KEY (account, destination)) WITHOUT ROWID
        """
    )

    /// The tables of versions 4 to 6, whose pauses named only an account.
    static let outboxTablesBeforePauses = {
        var tables = outboxTables
        let old = "CREATE TABLE outbox_pause (account TEXT PRIMARY KEY, failure BLOB NOT NULL) WITHOUT ROWID"
        // In those versions it came before outbox_removed.
        tables.insert(("outbox_pause", old), at: tables.count - 1)
        return tables
    }()

    /// The tables of versions 2 and 3, whose leases had no owner.
    static let outboxTablesBeforeOwners = outboxTablesBeforePauses.map { table in
        (name: table.name, sql: table.sql.replacing(" owner INTEGER,", with: ""))
    }

    /// The migration that creates the table of pauses again.
    ///
    /// A pause of an older file came from a 401, and no engine would end it. The file is rewritten,
    /// so that its root pages are those of a new file.
    static let pauseStep = ["DROP TABLE outbox_pause", pauseTable.sql, Wipe.row]

    /// The migration that adds the owners of leases.
    ///
    /// The new column is where ``outboxTables`` has it: SQLite adds it after the last column,
    /// before the constraint.
    static let ownerStep = ["ALTER TABLE outbox_lane ADD COLUMN owner INTEGER"]

    // Partial indexes: rows that wait for no time, or lanes that are not held, cost nothing.
    static let outboxIndexes: [(name: String, sql: String)] = [
        ("outbox_kind", "CREATE INDEX outbox_kind ON outbox_entry (kind, account, seq)"),
        ("outbox_due", "CREATE INDEX outbox_due ON outbox_lane (route, fresh, ready, head) WHERE ready IS NOT NULL"),
        (
            "outbox_fresh",
            "CREATE INDEX outbox_fresh ON outbox_lane (route, head) WHERE fresh = 1 AND ready IS NOT NULL"
        ),
        ("outbox_tried", "CREATE INDEX outbox_tried ON outbox_lane (route, tried) WHERE tried IS NOT NULL"),
        ("outbox_held", "CREATE INDEX outbox_held ON outbox_lane (until) WHERE until IS NOT NULL"),
        ("outbox_bounded", "CREATE INDEX outbox_bounded ON outbox_delivery (route, seq) WHERE class = 1"),
        ("outbox_timed", "CREATE INDEX outbox_timed ON outbox_waiting (at) WHERE at IS NOT NULL"),
        ("outbox_since", "CREATE INDEX outbox_since ON outbox_waiting (since) WHERE at IS NOT NULL"),
        ("outbox_given", "CREATE INDEX outbox_given ON outbox_assigned (entry)"),
        ("outbox_dependent", "CREATE INDEX outbox_dependent ON outbox_dependency (seq)"),
    ]
}
#endif
