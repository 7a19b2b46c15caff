import GRDB
import Testing
import WharfCore
import WharfStorage

@testable import WharfSQLite

/// The full-text index of a field. ``QueryTests`` compares its answers with memory's.
@Suite struct WordIndexTests {
    private static let search = RowQuery(.hasWords("text", SearchWords("milk")), sort: [SortKey("text")])

    private func note(_ id: String, _ text: FieldValue?, of account: Account? = nil) -> EntityChange {
        .put(
            EntityRow(
                key: EntityKey(account: account, kind: "note", id: id), bytes: [], asOf: WallTime(nanoseconds: 0),
                fields: text.map { ["text": $0] } ?? [:]))
    }

    private func tables(_ file: SQLiteDataFile) async throws -> Int {
        try await file.read("test") { try WordTables(db: $0).indexed().count }
    }

    private func found(_ store: SQLiteEntityStore) async throws -> [String] {
        try await store.rows(Self.search, of: nil, kind: "note").map(\.key.id)
    }

    @Test func firstSearchBuildsTheIndexAndCommitsUpdateIt() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path())
        let store = SQLiteEntityStore(file)
        #expect(try await found(store) == [])
        try await store.commit([note("1", FieldValue("Milk")), note("2", FieldValue("bread")), note("3", nil)])
        #expect(try await tables(file) == 0)
        #expect(try await found(store) == ["1"])
        #expect(try await tables(file) == 1)
        try await store.commit([note("2", FieldValue("a milky way")), note("3", FieldValue("milk, bread"))])
        #expect(try await found(store) == ["1", "2", "3"])
        try await store.commit([
            note("1", FieldValue(7 as Int64)), note("3", nil), .remove(EntityKey(kind: "note", id: "2")),
        ])
        #expect(try await found(store) == [])
        #expect(try await store.states(Self.search, of: nil, kind: "note").states.isEmpty)
        // SQLite gives the number of a removed row to the next row.
        try await store.commit([note("4", FieldValue("milk"))])
        try await store.commit([.remove(EntityKey(kind: "note", id: "4"))])
        try await store.commit([note("5", nil), note("6", FieldValue("Milk"))])
        #expect(try await found(store) == ["6"])
        try await file.close()
    }

    @Test func searchLooksUpItsMatchesByRowID() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path())
        let store = SQLiteEntityStore(file)
        try await store.commit([note("1", FieldValue("Milk"))])
        _ = try await found(store)
        let plan = try await file.read("explain") { db in
            let tables = EntityTables(db: db)
            let scope = try #require(try tables.scope(nil, "note"))
            let names = try tables.names(scope)
            let search = EntitySearch(db: db, scope: scope, names: names)
            let name = try #require(names["text"])
            let (sql, text) = try #require(
                search.statement(Self.search, from: .words(SearchWords("milk"), name: name)))
            return try db.uncachedQuery("EXPLAIN QUERY PLAN " + sql) { row in
                try text.bind(to: row)
                var lines: [String] = []
                while try row.step() { lines.append(row.text(3)) }
                return lines
            }
        }
        #expect(plan.first == "SEARCH s0 USING INTEGER PRIMARY KEY (rowid=?)")
        try await file.close()
    }

    @Test func anIndexOutlivesTheProcessAndIsDroppedWithAnAccount() async throws {
        let folder = try Scratch()
        let account = Account("gone")
        do {
            let file = try await SQLiteDataFile.open(at: folder.path())
            let store = SQLiteEntityStore(file)
            try await store.commit([note("1", FieldValue("Milk")), note("2", FieldValue("Milk"), of: account)])
            _ = try await found(store)
            try await file.close()
        }
        let file = try await SQLiteDataFile.open(at: folder.path())
        let store = SQLiteEntityStore(file)
        #expect(try await tables(file) == 1)
        try await store.commit([note("3", FieldValue("milk tea"))])
        #expect(try await found(store) == ["1", "3"])
        try await store.removeAll(of: account)
        #expect(try await tables(file) == 0)
        #expect(try await found(store) == ["1", "3"])
        try await file.close()
    }

    @Test func salvageLeavesIndexesOut() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("old.sqlite"))
        let store = SQLiteEntityStore(file)
        try await store.commit([note("1", FieldValue("Milk"))])
        _ = try await found(store)
        try await file.close()
        let salvaged = try await SQLiteDataFile.salvage(from: folder.path("old.sqlite"), to: folder.path("new.sqlite"))
        #expect(salvaged.rowsRead == 1)
        let new = try await SQLiteDataFile.open(at: folder.path("new.sqlite"))
        #expect(try await tables(new) == 0)
        #expect(try await found(SQLiteEntityStore(new)) == ["1"])
        try await new.close()
    }
}
