#if SQLite
extension Schema {
    /// The tables of a journal.
    ///
    /// A lane here is what one destination sees of a lane: its pending deliveries lie together in
    /// `outbox_delivery`, in the order of their entries. What is known of the first one stands in
    /// the lane itself, so that lanes that are due are a walk along `outbox_due`, however many
    /// others wait.
    static let outboxTables: [(name: String, sql: String)] = [
        // At most one row: how many commits others may have to hear of that brought no entry, and
        // the number of the last lease.
        (
            "outbox_state",
            "CREATE TABLE outbox_state (id INTEGER PRIMARY KEY, commits INTEGER NOT NULL, leases INTEGER NOT NULL)"
        ),
        // No `seq` is used twice. `open`: its deliveries that wait, are pending or dead. `unmet`:
        // its dependencies that are here. `plain`: it goes to one destination, always. `depends`:
        // whether it does. `key` is NULL where it is the id. `owed`: ids that the payload lacks.
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
        // `pending`: those that wait, too. `bounded`: how many of these may be dropped for newer
        // ones.
        (
            "outbox_route",
            """
            CREATE TABLE outbox_route (id INTEGER PRIMARY KEY, account TEXT NOT NULL, destination TEXT NOT NULL, \
            kind TEXT NOT NULL, pending INTEGER NOT NULL, bounded INTEGER NOT NULL, dropped_bounded INTEGER NOT NULL, \
            dropped_expired INTEGER NOT NULL, dropped_replaced INTEGER NOT NULL, UNIQUE (account, destination, kind))
            """
        ),
        // Of the first delivery: its entry, its route, since when it is due if not by time alone
        // (then NULL), its `last` and whether that is NULL (`fresh`), and when its entry was
        // enqueued. Of the last lease: number, end by the uptime of a boot (NULL: it was given
        // back), the last entry that was handed out, and the owner (NULL: the lease ends by time
        // alone, as of a file of version 3, or its owner was found dead).
        (
            "outbox_lane",
            """
            CREATE TABLE outbox_lane (id INTEGER PRIMARY KEY, account TEXT NOT NULL, name TEXT NOT NULL, \
            destination TEXT NOT NULL, pending INTEGER NOT NULL, bytes INTEGER NOT NULL, head INTEGER, route INTEGER, \
            ready INTEGER, fresh INTEGER, tried INTEGER, head_at INTEGER, lease INTEGER, boot TEXT, until INTEGER, upto INTEGER, \
            owner INTEGER, UNIQUE (account, name, destination))
            """
        ),
        // When it was attempted: `first` of all, `counted` first of those that count, `last` (NULL
        // also where a person has retried it). `lease`, here and below: under which it was handed
        // out and not settled since.
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
        // Deliveries whose condition is not met; `since`: when the entry was enqueued; `at`: when
        // it is met by time.
        (
            "outbox_waiting",
            """
            CREATE TABLE outbox_waiting (seq INTEGER NOT NULL, destination TEXT NOT NULL, route INTEGER NOT NULL, \
            class INTEGER NOT NULL, since INTEGER NOT NULL, at INTEGER, PRIMARY KEY (seq, destination)) WITHOUT ROWID
            """
        ),
        // How deliveries have settled whose entry is still here.
        (
            "outbox_settled",
            """
            CREATE TABLE outbox_settled (seq INTEGER NOT NULL, destination TEXT NOT NULL, state INTEGER NOT NULL, \
            lease INTEGER, PRIMARY KEY (seq, destination)) WITHOUT ROWID
            """
        ),
        // Who depends on an entry, whether that is here or not.
        (
            "outbox_dependency",
            """
            CREATE TABLE outbox_dependency (id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (id, seq)) \
            WITHOUT ROWID
            """
        ),
        // `entry`: with which it came; empty where others that came with it may be forgotten. The
        // oldest go, by `n`, of which no number is used twice; here and below.
        (
            "outbox_assigned",
            """
            CREATE TABLE outbox_assigned (n INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, \
            temporary TEXT NOT NULL, given TEXT NOT NULL, entry TEXT NOT NULL, UNIQUE (account, temporary))
            """
        ),
        // Entries of which a delivery was given up by a person.
        (
            "outbox_discarded",
            """
            CREATE TABLE outbox_discarded (n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, \
            account TEXT NOT NULL)
            """
        ),
        // The newest entry of which something has gone from these two.
        (
            "outbox_forgotten",
            "CREATE TABLE outbox_forgotten (account TEXT PRIMARY KEY, newest TEXT NOT NULL) WITHOUT ROWID"
        ),
        // Accounts that were removed, by their hashes: the number of the last lease before that.
        (
            "outbox_removed",
            "CREATE TABLE outbox_removed (account INTEGER PRIMARY KEY, lease INTEGER NOT NULL)"
        ),
    ]

    /// The pauses, by account and destination.
    ///
    /// It is the last of all tables. The step of version 7 makes it anew, and SQLite keeps tables
    /// in the order in which they were made, also in a `VACUUM`.
    static let pauseTable = (
        name: "outbox_pause",
        sql: """
        CREATE TABLE outbox_pause (account TEXT NOT NULL, destination TEXT NOT NULL, since INTEGER NOT NULL, \
        reason TEXT, PRIMARY KEY (account, destination)) WITHOUT ROWID
        """
    )

    /// The tables of versions 4 to 6, whose pauses named an account alone.
    static let outboxTablesBeforePauses = {
        var tables = outboxTables
        let old = "CREATE TABLE outbox_pause (account TEXT PRIMARY KEY, failure BLOB NOT NULL) WITHOUT ROWID"
        // Before outbox_removed.
        tables.insert(("outbox_pause", old), at: tables.count - 1)
        return tables
    }()

    /// The tables of versions 2 and 3, whose leases had no owner.
    static let outboxTablesBeforeOwners = outboxTablesBeforePauses.map { table in
        (name: table.name, sql: table.sql.replacing(" owner INTEGER,", with: ""))
    }

    /// Makes the table of pauses anew: a pause of an older file came of a 401, and no engine would
    /// end it.
    ///
    /// The file is written anew, so that its roots lie where they do in a new file.
    static let pauseStep = ["DROP TABLE outbox_pause", pauseTable.sql, Wipe.row]

    /// The new column stands where ``outboxTables`` has it: SQLite adds it behind the last one,
    /// before the constraint.
    static let ownerStep = ["ALTER TABLE outbox_lane ADD COLUMN owner INTEGER"]

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
