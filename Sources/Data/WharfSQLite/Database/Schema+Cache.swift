#if SQLite
extension Schema {
    /// The tables of a cache.
    ///
    /// Bodies have tables of their own. To mark an entry as used rewrites its row, which must not
    /// copy the body. An entry has a row in `body`, or one in `body_file` if the body is large.
    /// Triggers keep the total, so it is exact for every writer and needs no scan.
    static let cache = Schema(
        noun: "a cache",
        // "Whrf".
        applicationID: 0x5768_7266,
        objects: Dictionary(
            (cacheObjects + [Wipe.table] + fileObjects + siteObjects).map { ($0.name, $0.sql) },
            uniquingKeysWith: { $1 }),
        steps: [
            cacheObjects.map(\.sql) + ["INSERT INTO total VALUES (1, 0, 0)"], [Wipe.table.sql], fileObjects.map(\.sql),
            ["ALTER TABLE response ADD COLUMN \(siteColumn)", "DROP INDEX response_key", siteKey],
        ],
        census: ("SELECT count(*) FROM total", 1)
    )

    private static let siteColumn = "site TEXT NOT NULL DEFAULT ''"
    // The site stands behind the columns by which a key is removed for all sites.
    private static let siteKey =
        "CREATE UNIQUE INDEX response_key ON response (account, target, method, site, varying)"

    private static let siteObjects: [(name: String, sql: String)] = [
        // The text that SQLite makes of `ALTER TABLE`.
        ("response", responseTable + ", \(siteColumn))"), ("response_key", siteKey),
    ]

    private static let fileObjects: [(name: String, sql: String)] = [
        ("body_file", "CREATE TABLE body_file (id INTEGER PRIMARY KEY, token INTEGER NOT NULL)"),
        // Filled and emptied within one transaction, which then removes the files.
        ("removed_file", "CREATE TABLE removed_file (token INTEGER PRIMARY KEY)"),
        // Every way to remove an entry passes here, even the replacement of a variant.
        (
            "response_file_removed",
            """
            CREATE TRIGGER response_file_removed AFTER DELETE ON response BEGIN \
            INSERT OR IGNORE INTO removed_file SELECT token FROM body_file WHERE id = OLD.id; \
            DELETE FROM body_file WHERE id = OLD.id; END
            """
        ),
    ]

    /// The statement of the table in version 1, without the bracket at its end.
    ///
    /// AUTOINCREMENT never gives an id again. A late refresh or use mark of a removed entry must
    /// not meet a new one.
    private static let responseTable = """
        CREATE TABLE response (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, method TEXT NOT NULL, \
        target TEXT NOT NULL, varying BLOB NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, head BLOB NOT NULL
        """

    private static let cacheObjects: [(name: String, sql: String)] = [
        ("response", responseTable + ")"),
        ("response_key", "CREATE UNIQUE INDEX response_key ON response (account, target, method, varying)"),
        ("response_used", "CREATE INDEX response_used ON response (used)"),
        ("body", "CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)"),
        (
            "total",
            "CREATE TABLE total (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL, tick INTEGER NOT NULL)"
        ),
        // The triggers run in the writer's transaction, so the total and the rows change together.
        (
            "response_added",
            """
            CREATE TRIGGER response_added AFTER INSERT ON response BEGIN \
            UPDATE total SET bytes = bytes + NEW.size; END
            """
        ),
        (
            "response_resized",
            """
            CREATE TRIGGER response_resized AFTER UPDATE OF size ON response BEGIN \
            UPDATE total SET bytes = bytes + NEW.size - OLD.size; END
            """
        ),
        // The body goes with its row in one statement; no reader finds a head without it.
        (
            "response_removed",
            """
            CREATE TRIGGER response_removed AFTER DELETE ON response BEGIN \
            DELETE FROM body WHERE id = OLD.id; UPDATE total SET bytes = bytes - OLD.size; END
            """
        ),
    ]
}
#endif
