#if SQLite
extension Schema {
    /// The tables of a cache.
    ///
    /// Bodies have a table of their own. To mark an entry as used rewrites its row, which must not
    /// copy the body. Triggers keep the total, so it is exact for every writer and needs no scan.
    static let cache = Schema(
        noun: "a cache",
        // "Whrf".
        applicationID: 0x5768_7266,
        objects: Dictionary(uniqueKeysWithValues: (cacheObjects + [Wipe.table]).map { ($0.name, $0.sql) }),
        steps: [cacheObjects.map(\.sql) + ["INSERT INTO total VALUES (1, 0, 0)"], [Wipe.table.sql]],
        census: ("SELECT count(*) FROM total", 1)
    )

    private static let cacheObjects: [(name: String, sql: String)] = [
        (
            "response",
            """
            CREATE TABLE response (id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, method TEXT NOT NULL, \
            target TEXT NOT NULL, varying BLOB NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL, head BLOB NOT NULL)
            """
        ),
        ("response_key", "CREATE UNIQUE INDEX response_key ON response (account, target, method, varying)"),
        ("response_used", "CREATE INDEX response_used ON response (used)"),
        ("body", "CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)"),
        (
            "total",
            "CREATE TABLE total (id INTEGER PRIMARY KEY CHECK (id = 1), bytes INTEGER NOT NULL, tick INTEGER NOT NULL)"
        ),
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
