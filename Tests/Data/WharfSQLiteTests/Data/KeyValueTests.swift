import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfSQLite
import WharfStorage

@Suite struct KeyValueTests {
    @Test(arguments: KeyValueStoreLaws.all)
    func sqliteKeepsLaw(law: Law<KeyValueStoreLaws.Subject>) async throws {
        let files = DataFiles(try Scratch())
        try await law.check(
            .init("SQLiteKeyValueStore", reopen: { _ in SQLiteKeyValueStore(try await files.reopenLast()) }) {
                SQLiteKeyValueStore(try await files.make())
            }
        )
        try await files.closeAll()
    }

    @Test func valuesComeBackAsTheyWereSetAlsoAfterReopening() async throws {
        let folder = try Scratch()
        var file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        var store = SQLiteKeyValueStore(file)
        let values: [String: [UInt8]] = [
            "": [1], "a": [], "a\0b": [2], "\u{E9}": [3], "\u{10FFFF}": Array(0...255), "%": [4], "A": [5],
            "long": [UInt8](repeating: 9, count: 100_000),
        ]
        for (key, value) in values { try await store.set(value, for: key) }
        try await store.set([6], for: "gone")
        try await store.set(nil, for: "gone")
        try await store.set(nil, for: "never")
        for reopens in [false, true] {
            if reopens {
                try await file.close()
                file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
                store = SQLiteKeyValueStore(file)
            }
            for (key, value) in values { #expect(try await store.value(for: key) == value) }
            #expect(try await store.value(for: "gone") == nil)
            #expect(try await store.value(for: "e\u{301}") == nil)
            let keys = try await store.keys(withPrefix: "")
            #expect(keys == ["", "%", "A", "a", "a\0b", "long", "\u{E9}", "\u{10FFFF}"])
            #expect(try await store.keys(withPrefix: "a") == ["a", "a\0b"])
            #expect(try await store.keys(withPrefix: "\u{10FFFF}") == ["\u{10FFFF}"])
            #expect(try await store.keys(withPrefix: "gone") == [])
        }
        try await file.close()
    }

    @Test func keyValuesAndEntitiesShareOneFile() async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let changes = SQLiteEntityStore(file).changes(of: nil, kind: "note", since: nil)
        try await SQLiteKeyValueStore(file).set([1], for: "note")
        try await SQLiteEntityStore(file).commit([.put(.note("1"))])
        try await SQLiteEntityStore(file).removeAll(of: nil)
        #expect(try await SQLiteKeyValueStore(file).value(for: "note") == [1])
        #expect(reported(changes) == .all)
        try await file.close()
    }
}
