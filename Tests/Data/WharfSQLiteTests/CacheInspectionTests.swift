import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfSQLite
import WharfStorage

/// A cache file that a tool examines while its app may use it.
@Suite struct CacheInspectionTests {
    @Test func missingFileIsNotMade() async throws {
        let folder = try Scratch()
        for access in [SQLiteDataFile.Access.reading, .writing] {
            let code = await storeErrorCode {
                _ = try await SQLiteCacheStore.open(existing: folder.path(), for: access) { _ in }
            }
            #expect(code == .unavailable)
        }
        #expect(try folder.names.isEmpty)
    }

    @Test(arguments: [SQLiteDataFile.Access.reading, .writing])
    func foreignFileIsRefused(access: SQLiteDataFile.Access) async throws {
        let folder = try Scratch()
        try folder.tamper("other.sqlite", "CREATE TABLE t (a)")
        let code = await storeErrorCode {
            _ = try await SQLiteCacheStore.open(existing: folder.path("other.sqlite"), for: access) { _ in }
        }
        #expect(code == .unavailable)
        #expect(try !folder.names.contains("other.sqlite.lock"))
    }

    @Test func openFileOfAnAppIsListed() async throws {
        let folder = try Scratch()
        let app = try await SQLiteCacheStore.open(at: folder.path()) { Issue.record("\($0)") }
        let first = try await app.keep("https://example.com/a", [1, 2, 3])
        let second = try await app.keep("https://example.com/b", [4])
        // The hit is not in the file before the list asks for it.
        _ = try await app.body("https://example.com/a")
        #expect(try await app.entries(usedBefore: nil, limit: 9).map(\.id) == [first, second])

        let tool = try await SQLiteCacheStore.open(existing: folder.path(), for: .reading) { Issue.record("\($0)") }
        let entries = try await tool.entries(usedBefore: nil, limit: 9)
        #expect(entries.map(\.id) == [first, second])
        #expect(try await tool.body(of: entries[0])?.collect() == [1, 2, 3])
        let statistics = try await tool.statistics()
        #expect(statistics.entryCount == 2 && statistics.byteLimit == nil)
        // A hit through a reading tool leaves no mark that closing would have to write.
        _ = try await tool.body("https://example.com/b")
        try await tool.close()
        #expect(try await app.entries(usedBefore: nil, limit: 9).map(\.id) == [first, second])
        try await app.close()
    }

    @Test func damagedHeadIsLeftByAReaderAndRemovedByAWriter() async throws {
        let folder = try Scratch()
        let app = try await SQLiteCacheStore.open(at: folder.path()) { Issue.record("\($0)") }
        for name in ["a", "b", "c"] { try await app.keep("https://example.com/\(name)", [1]) }
        try await app.close()
        try folder.tamper("cache.sqlite", "UPDATE response SET head = zeroblob(60) WHERE target LIKE '%/b'")

        let incidents = IncidentLog()
        let reader = try await SQLiteCacheStore.open(
            existing: folder.path(), for: .reading, onIncident: incidents.handler)
        // The page is full, although a damaged entry lies between its two.
        #expect(try await reader.entries(usedBefore: nil, limit: 2).map(\.key.target.last) == ["c", "a"])
        try await reader.close()
        #expect(incidents.all.map(\.code) == [.entryDropped])
        #expect(try folder.count("SELECT count(*) FROM response") == 3)

        let writer = try await SQLiteCacheStore.open(
            existing: folder.path(), for: .writing, onIncident: incidents.handler)
        #expect(try await writer.entries(usedBefore: nil, limit: 9).count == 2)
        try await writer.close()
        #expect(incidents.all.map(\.code) == [.entryDropped, .entryDropped])
        #expect(try folder.count("SELECT count(*) FROM response") == 2)
    }
}
