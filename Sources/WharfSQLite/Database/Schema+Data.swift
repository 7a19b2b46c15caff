#if SQLite
extension Schema {
    /// Every entity has a row in `field` for each name that its scope knows, also for null: so a walk along the index of one name
    /// meets all of them, in order. Ranks are those of `FieldValue`: 0 null, 1 number, 2 text. A null's value is an empty blob,
    /// because a primary key holds no NULL.
    static let data = Schema(
        noun: "a data file",
        // "Whrd".
        applicationID: 0x5768_7264,
        objects: Dictionary(
            uniqueKeysWithValues: (dataTables + outboxTables + dataIndexes + outboxIndexes).map { ($0.name, $0.sql) }),
        steps: [
            (dataTables + dataIndexes).map(\.sql),
            // Written anew, so that its roots lie where they do in a new file.
            (outboxTables + outboxIndexes).map(\.sql) + [Wipe.row],
        ],
        // Tables first, as VACUUM makes them again: so their roots stay where they are in a new file, which salvage counts on.
        whole: (dataTables + outboxTables + dataIndexes + outboxIndexes).map(\.sql),
        census: nil
    )

    private static let dataTables: [(name: String, sql: String)] = [
        (
            "scope",
            """
            CREATE TABLE scope (id INTEGER PRIMARY KEY, account TEXT NOT NULL, kind TEXT NOT NULL, \
            UNIQUE (account, kind))
            """
        ),
        (
            "name",
            """
            CREATE TABLE name (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (scope, name))
            """
        ),
        (
            "entity",
            """
            CREATE TABLE entity (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, key TEXT NOT NULL, \
            schema INTEGER NOT NULL, as_of INTEGER NOT NULL, stale_at INTEGER, validator TEXT, bytes BLOB NOT NULL)
            """
        ),
        (
            "field",
            """
            CREATE TABLE field (name INTEGER NOT NULL, rank INTEGER NOT NULL, value NOT NULL, key TEXT NOT NULL, \
            entity INTEGER NOT NULL, PRIMARY KEY (name, rank, value, key)) WITHOUT ROWID
            """
        ),
        ("value", "CREATE TABLE value (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID"),
        // What was committed lately, for other processes: a key, or all of a scope's account, or everything.
        ("change", "CREATE TABLE change (seq INTEGER PRIMARY KEY, scope INTEGER, key TEXT)"),
        Wipe.table,
    ]

    private static let dataIndexes: [(name: String, sql: String)] = [
        ("entity_key", "CREATE UNIQUE INDEX entity_key ON entity (scope, key)"),
        ("field_entity", "CREATE UNIQUE INDEX field_entity ON field (entity, name)"),
    ]
}
#endif
