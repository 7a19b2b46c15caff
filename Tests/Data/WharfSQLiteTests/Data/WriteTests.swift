import GRDB
import Testing
import WharfChecks
import WharfCore
import WharfStorage

@testable import WharfSQLite

@Suite struct WriteTests {
    private func open(_ folder: Scratch) async throws -> SQLiteDataFile {
        try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
    }

    /// The number of rows that SQLite wrote, except for the account's version and tombstones.
    private func written(_ file: SQLiteDataFile, _ changes: [EntityChange]) async throws -> Int {
        let before = try await file.write("count") { $0.totalChangesCount }
        try await SQLiteEntityStore(file).commit(changes)
        return try await file.write("count") { $0.totalChangesCount } - before - 1
            - changes.count { if case .remove = $0 { true } else { false } }
    }

    @Test func commitWritesOnlyTheDifference() async throws {
        let folder = try Scratch()
        let file = try await open(folder)
        let fields = ["a": FieldValue(1 as Int64), "b": FieldValue("x"), "c": FieldValue("y")]
        try await SQLiteEntityStore(file).commit((0..<1000).map { .put(.note("\($0)", [1], fields)) })
        // The row alone.
        #expect(try await written(file, [.put(.note("7", [2], fields))]) == 1)
        // The row and one field.
        var changed = fields
        changed["b"] = FieldValue("z")
        #expect(try await written(file, [.put(.note("7", [2], changed))]) == 2)
        // A removed field becomes null.
        changed["b"] = nil
        #expect(try await written(file, [.put(.note("7", [2], changed))]) == 2)
        // A row with its three fields.
        #expect(try await written(file, [.put(.note("new", [2], fields))]) == 4)
        #expect(try await written(file, [.remove(.note("new"))]) == 4)
        #expect(try await written(file, [.remove(.note("never"))]) == 0)
        // A new name is added to every row, once.
        changed["d"] = FieldValue("first")
        #expect(try await written(file, [.put(.note("7", [2], changed))]) == 1 + 1 + 1000 + 1)
        #expect(try await written(file, [.put(.note("8", [2], changed))]) == 3)
        try await file.close()
    }

    @Test func aRowKeepsTheVersionThatItsRequestKnew() async throws {
        let folder = try Scratch()
        let file = try await open(folder)
        let store = SQLiteEntityStore(file)
        for basis in [StoreVersion(7), nil, StoreVersion(.max)] {
            var row = EntityRow.note("1", [1])
            row.basis = basis
            try await store.commit([.put(row)])
            #expect(try await store.row(row.key)?.basis == basis)
        }
        try await file.close()
    }

    @Test func everyEntityHasARowForEachNameOfItsScope() async throws {
        let folder = try Scratch()
        let file = try await open(folder)
        let store = SQLiteEntityStore(file)
        try await store.commit([
            .put(.note("1", [1], ["a": FieldValue("x")])), .put(.note("2", [1], ["b": FieldValue("y")])),
        ])
        try await store.commit([.put(.note("3")), .remove(.note("1")), .put(.note("4", [1], ["c": FieldValue("z")]))])
        #expect(try folder.count("SELECT count(*) FROM field", in: "data.sqlite") == 9)
        #expect(try folder.count("SELECT count(*) FROM field WHERE rank = 0", in: "data.sqlite") == 7)
        try await file.close()
    }

    @Test func canonicallyEqualFieldNamesAreOneField() async throws {
        let folder = try Scratch()
        let file = try await open(folder)
        let store = SQLiteEntityStore(file)
        try await store.commit([.put(.note("1", [1], ["\u{E9}": FieldValue("x")]))])
        try await store.commit([.put(.note("2", [1], ["e\u{301}": FieldValue("y")]))])
        let found = try await store.rows(RowQuery(sort: [SortKey("e\u{301}", descending: true)]), of: nil, kind: "note")
        #expect(found == [.note("2", [1], ["\u{E9}": FieldValue("y")]), .note("1", [1], ["\u{E9}": FieldValue("x")])])
        try await file.close()
    }

    @Test func nullFieldIsDropped() async throws {
        var row = EntityRow.note("1", [1], ["a": .null, "b": FieldValue("x")])
        #expect(row.fields == ["b": FieldValue("x")])
        row.fields["c"] = .null
        row.fields["b"] = .null
        #expect(row == .note("1"))
    }

    @Test func searchesDoNotFillTheStatementCache() async throws {
        let folder = try Scratch()
        let file = try await open(folder)
        let store = SQLiteEntityStore(file)
        try await store.commit([.put(.note("1", [1], ["a": FieldValue("x")]))])
        func statements() async throws -> Int {
            try await file.read("count") {
                try $0.query("SELECT count(*) FROM sqlite_stmt") { try $0.step() ? Int($0.integer(0)) : 0 }
            }
        }
        _ = try await store.rows(RowQuery(sort: [SortKey("a")]), of: nil, kind: "note")
        let before = try await statements()
        for count in 1..<100 {
            let condition = Condition.any((0..<count).map { .equal("a", FieldValue(Int64($0))) })
            _ = try await store.rows(RowQuery(condition, limit: count), of: nil, kind: "note")
        }
        #expect(try await statements() <= before + 2)
        try await file.close()
    }

    @Test func aCancelledCommitIsWholeOrAbsentAndReportsWhich() async throws {
        let folder = try Scratch()
        let file = try await open(folder)
        let store = SQLiteEntityStore(file)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await storeErrorCode { try await store.commit([.put(.note("1"))]) }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(try await store.row(.note("1")) == nil)

        // A commit that is cancelled in the middle completes, and reports that.
        let running = Box<Task<StoreError.Code?, Never>?>(nil)
        let second = try await SQLiteDataFile.open(
            at: folder.path("data.sqlite"),
            probe: SQLiteDataProbe { if $0 == .rowWritten { running.value?.cancel() } })
        let started = Task {
            await waitUntil { running.value != nil }
            return await storeErrorCode {
                try await SQLiteEntityStore(second).commit([.put(.note("2")), .put(.note("3"))])
            }
        }
        running.change { $0 = started }
        #expect(await started.value == nil)
        #expect(try await store.row(.note("3")) != nil)
        try await file.close()
        try await second.close()
    }
}
