#if SQLite
internal import GRDB
internal import WharfCore

/// The full-text indexes: an FTS5 table for each field that was searched.
///
/// The first search of a field creates its table. From then on each commit keeps it up to date.
/// - The tables repeat the content of `field`. So they are dropped when an account is removed, and
///   salvage leaves them out. The next search creates them again, and no word of a removed row
///   stays in a segment of FTS5.
/// - The tokens are those of ``WharfCore/SearchWords``. The tokenizer `ascii` only splits them at
///   the spaces, so that SQLite finds the same entities as the other stores.
struct WordTables {
    let db: Database

    private static let prefix = "words_"

    /// The name of the table of a field.
    static func table(_ name: Int64) -> String { "\(prefix)\(name)" }

    /// The fields that have a table.
    func indexed() throws -> Set<Int64> {
        // `rootpage = 0` selects virtual tables. Their shadow tables have names with the same
        // beginning.
        let sql = "SELECT name FROM sqlite_master WHERE name GLOB '\(Self.prefix)[0-9]*' AND rootpage = 0"
        return try db.query(sql) { row in
            var names: Set<Int64> = []
            while try row.step() {
                if let name = Int64(row.text(0).dropFirst(Self.prefix.count)) { names.insert(name) }
            }
            return names
        }
    }

    /// Whether the system's SQLite has FTS5. Without it searches read every text.
    var isAvailable: Bool {
        get throws { try db.integer("SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'") == 1 }
    }

    /// Creates the table of a field, with the words of all entities.
    ///
    /// - Parameter check: throws if writing must stop.
    func make(_ name: Int64, check: () throws -> Void) throws {
        // Another process may have created it between the search and this transaction.
        guard try !indexed().contains(name) else { return }
        // Positions and lengths serve phrases and ranks, which no query uses.
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE \(Self.table(name)) \
                USING fts5(words, tokenize = 'ascii', detail = none, columnsize = 0)
                """)
        try db.query("SELECT entity, value FROM field WHERE name = ? AND rank = 2") { row in
            try row.bind(name, at: 1)
            while try row.step() {
                // The texts of a large account take seconds; an expiry must find a place to stop.
                try check()
                try insert(Self.words(row.text(1)), row.integer(0), name)
            }
        }
    }

    /// Replaces the words of an entity's field.
    func replace(_ old: FieldValue?, with value: FieldValue, of entity: Int64, _ name: Int64) throws {
        // Only texts have a row in the index.
        if old?.text != nil { try remove(entity, name) }
        if let text = value.text { try insert(Self.words(text), entity, name) }
    }

    func remove(_ entity: Int64, _ name: Int64) throws {
        try db.run("DELETE FROM \(Self.table(name)) WHERE rowid = ?") { try $0.bind(entity, at: 1) }
    }

    func dropAll() throws {
        for name in try indexed() { try db.execute(sql: "DROP TABLE \(Self.table(name))") }
    }

    /// The operand of MATCH that finds these words.
    static func match(_ search: SearchWords) -> String {
        // The words are quoted, so no word is read as an operator of FTS5.
        search.words.map { "\"\($0)\"*" }.joined(separator: " ")
    }

    private func insert(_ words: String, _ entity: Int64, _ name: Int64) throws {
        try db.run("INSERT INTO \(Self.table(name)) (rowid, words) VALUES (?, ?)") { row in
            try row.bind(entity, at: 1)
            try row.bind(words, at: 2)
        }
    }

    private static func words(_ text: String) -> String {
        SearchWords(text).words.joined(separator: " ")
    }
}
#endif
