#if SQLite
internal import GRDB
internal import WharfCore

extension Schema {
    /// The tables of a data file.
    ///
    /// Every entity has a row in `field` for each name that its scope knows, even for null. So a
    /// walk along the index of one name meets all entities in order. Ranks are those of
    /// `FieldValue`: 0 null, 1 number, 2 text. A null's value is an empty blob, because a primary
    /// key holds no NULL.
    static let data = Schema(
        noun: "a data file",
        // "Whrd".
        applicationID: 0x5768_7264,
        objects: named(tables + indexes),
        steps: dataBeforePauses.steps + [pauseStep],
        fill: { db, found in
            try dataBeforeOwners.fill?(db, found)
            // Full-text tables are older than the table of pauses and would lie before it. They are
            // dropped, and the next search makes them again.
            if 5..<7 ~= found { try WordTables(db: db).dropAll() }
        },
        // Tables come first, as VACUUM writes them. So a rewritten file keeps the root pages of a
        // new file, which salvage relies on.
        whole: (tables + indexes).map(\.sql),
        census: nil
    )

    /// A data file of versions 4 to 6, whose pauses named only an account.
    static let dataBeforePauses = Schema(
        noun: "a data file", applicationID: 0x5768_7264,
        objects: named(dataTables + outboxTablesBeforePauses + versionTables + indexes),
        // Version 5 may have full-text tables, which an older Wharf would not keep up to date.
        // Version 6 has no pauses that came from a 401: an engine now holds such a destination by
        // itself, and would never end these pauses.
        steps: dataBeforeOwners.steps + [ownerStep, [], ["DELETE FROM outbox_pause"]],
        fill: dataBeforeOwners.fill,
        whole: (dataTables + outboxTablesBeforePauses + versionTables + indexes).map(\.sql),
        census: nil
    )

    /// A data file of version 3, whose leases had no owner.
    static let dataBeforeOwners = Schema(
        noun: "a data file", applicationID: 0x5768_7264,
        objects: named(dataTables + outboxTablesBeforeOwners + versionTables + indexes),
        steps: dataBeforeVersions.steps + [versionStep],
        // Only for files from before versions. A version 3 file has numbers already.
        fill: { db, found in if 1..<3 ~= found { try numberAccounts(db) } },
        whole: (dataTables + outboxTablesBeforeOwners + versionTables + indexes).map(\.sql),
        census: nil
    )

    /// The schemas of data files that can be read without migration, the newest first.
    static let dataVersions = [data, dataBeforePauses, dataBeforeOwners, dataBeforeVersions]

    /// A data file of version 2, whose rows had no versions.
    ///
    /// Its first step created a file of version 1.
    static let dataBeforeVersions = Schema(
        noun: "a data file", applicationID: 0x5768_7264,
        objects: named(firstTables + outboxTablesBeforeOwners + firstIndexes + outboxIndexes),
        steps: [
            (firstTables + firstIndexes).map(\.sql),
            // The file is rewritten, so that its root pages are those of a new file.
            (outboxTablesBeforeOwners + outboxIndexes).map(\.sql) + [Wipe.row],
        ],
        whole: (firstTables + outboxTablesBeforeOwners + firstIndexes + outboxIndexes).map(\.sql),
        census: nil
    )

    private typealias Object = (name: String, sql: String)

    private static let tables: [Object] = dataTables + outboxTables + versionTables + [pauseTable]
    private static let indexes: [Object] = dataIndexes + outboxIndexes + [entityKey]
    private static let firstIndexes: [Object] = [entityKey] + dataIndexes
    private static let firstTables: [Object] = {
        var tables = dataTables
        tables.insert(firstEntity, at: 2)
        tables.insert(firstChange, at: tables.count - 1)
        return tables
    }()

    private static func named(_ objects: [Object]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: objects.map { ($0.name, $0.sql) })
    }

    /// The migration that gives each row a version.
    ///
    /// It is that of the first commit, since the real one is unknown.
    private static let versionStep: [String] = {
        let copy = """
            INSERT INTO entity (id, scope, key, version, schema, as_of, stale_at, validator, bytes) \
            SELECT id, scope, key, 1, schema, as_of, stale_at, validator, bytes FROM first_entity ORDER BY id
            """
        // The log of version 2 has no versions and can't be continued. Its readers start with a
        // floor.
        var statements = ["DROP TABLE change", "ALTER TABLE entity RENAME TO first_entity"]
        statements += versionTables.map(\.sql)
        // The copy precedes the drop, in one transaction: a kill leaves the old table.
        statements += [copy, "DROP TABLE first_entity", entityKey.sql]
        // The file is rewritten, so that its root pages are those of a new file.
        return statements + [Wipe.row]
    }()

    /// Gives each account of a file the version of its rows.
    private static func numberAccounts(_ db: Database) throws {
        let accounts = try db.query("SELECT DISTINCT account FROM scope") { row in
            var accounts: [String] = []
            while try row.step() { accounts.append(row.text(0)) }
            return accounts
        }
        let (tables, first) = (VersionTables(db: db), StoreVersion(1))
        for account in accounts {
            // The floor is the rows' version, because earlier removals are unknown.
            try tables.setAccount(VersionTables.id(RowKey.account(account)), version: first, floor: first)
        }
    }

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
            "field",
            """
            CREATE TABLE field (name INTEGER NOT NULL, rank INTEGER NOT NULL, value NOT NULL, key TEXT NOT NULL, \
            entity INTEGER NOT NULL, PRIMARY KEY (name, rank, value, key)) WITHOUT ROWID
            """
        ),
        ("value", "CREATE TABLE value (key TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID"),
        Wipe.table,
    ]

    /// The entities of version 2, without versions.
    private static let firstEntity = (
        name: "entity",
        sql: """
        CREATE TABLE entity (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, key TEXT NOT NULL, \
        schema INTEGER NOT NULL, as_of INTEGER NOT NULL, stale_at INTEGER, validator TEXT, bytes BLOB NOT NULL)
        """
    )

    /// The log of version 2: the latest commits, for other processes.
    private static let firstChange = (
        name: "change", sql: "CREATE TABLE change (seq INTEGER PRIMARY KEY, scope INTEGER, key TEXT)"
    )

    private static let versionTables: [(name: String, sql: String)] = [
        // `version`: that of the last commit to the row. `basis`: see EntityRow.basis. Both come
        // before the bytes: a column behind a large blob costs a walk along overflow pages.
        (
            "entity",
            """
            CREATE TABLE entity (id INTEGER PRIMARY KEY, scope INTEGER NOT NULL, key TEXT NOT NULL, \
            version INTEGER NOT NULL, basis INTEGER, schema INTEGER NOT NULL, as_of INTEGER NOT NULL, stale_at INTEGER, \
            validator TEXT, bytes BLOB NOT NULL)
            """
        ),
        // An account by the hash of its name, as far as the log does not imply it. `version`: at
        // least that of the last purge. `floor`: that of the last change pruned from the log, or of
        // the last purge.
        (
            "account",
            "CREATE TABLE account (id INTEGER PRIMARY KEY, version INTEGER NOT NULL, floor INTEGER NOT NULL)"
        ),
        // The removed keys, with the versions of the commits that removed them.
        (
            "tombstone",
            """
            CREATE TABLE tombstone (scope INTEGER NOT NULL, key TEXT NOT NULL, version INTEGER NOT NULL, \
            PRIMARY KEY (scope, key)) WITHOUT ROWID
            """
        ),
        // The log: the changes of each account above its floor, by the account's hash.
        (
            "change",
            """
            CREATE TABLE change (account INTEGER NOT NULL, version INTEGER NOT NULL, scope INTEGER NOT NULL, \
            key TEXT NOT NULL, removed INTEGER NOT NULL, PRIMARY KEY (account, version, scope, key)) WITHOUT ROWID
            """
        ),
    ]

    private static let entityKey = (
        name: "entity_key", sql: "CREATE UNIQUE INDEX entity_key ON entity (scope, key)"
    )

    private static let dataIndexes: [(name: String, sql: String)] = [
        ("field_entity", "CREATE UNIQUE INDEX field_entity ON field (entity, name)")
    ]
}
#endif
