import Foundation
import GRDB
import Testing
import WharfCore
import WharfFakes
import WharfSQLite
import WharfStorage

@Suite struct FileTests {
    private static let body = [UInt8](repeating: 7, count: 3000)

    @Test func filesAreClosedToOtherUsers() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path("new/deep/cache.sqlite")) { _ in }
        try await store.keep("https://a.test/1", Self.body)
        for name in ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm", "cache.sqlite.lock"] {
            #expect(try folder.mode("new/deep/" + name) == 0o600, "\(name)")
        }
        #expect(try folder.mode("new") == 0o700)
        #expect(try folder.mode("new/deep") == 0o700)
        try await store.close()
    }

    @Test func openingRestrictsAFileReadableByOthers() async throws {
        let folder = try Scratch()
        try await SQLiteCacheStore.open(at: folder.path()) { _ in }.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path())
        try await SQLiteCacheStore.open(at: folder.path()) { _ in }.close()
        #expect(try folder.mode("cache.sqlite") == 0o600)
    }

    @Test(arguments: ["this is no database", String(repeating: "garbage ", count: 4000)])
    func nonDatabaseFileIsSetAside(text: String) async throws {
        let folder = try Scratch()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path()))
        let incidents = IncidentLog()
        let clock = TestClock(start: WallTime(secondsSince1970: 1_795_225_245))
        let store = try await SQLiteCacheStore.open(at: folder.path(), clock: clock.wall, onIncident: incidents.handler)
        #expect(incidents.codes == [.cacheRecreated])
        let aside = "cache.sqlite.corrupt-20261121T014045Z"
        #expect(incidents.all.first?.message.contains(aside) == true)
        #expect(try String(decoding: Data(contentsOf: URL(fileURLWithPath: folder.path(aside))), as: UTF8.self) == text)
        try await store.keep("https://a.test/1", Self.body)
        #expect(try await store.body("https://a.test/1") == Self.body)
        try await store.close()
    }

    @Test(arguments: [
        "DROP TABLE body", "DROP INDEX response_key", "ALTER TABLE response RENAME COLUMN head TO title",
        "DELETE FROM total",
    ])
    func cacheWithOtherTablesIsSetAside(sql: String) async throws {
        let folder = try Scratch()
        try await SQLiteCacheStore.open(at: folder.path()) { _ in }.close()
        try folder.tamper("cache.sqlite", sql)
        let incidents = IncidentLog()
        try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler).close()
        #expect(incidents.codes == [.cacheRecreated])
        #expect(try folder.names.contains { $0.hasPrefix("cache.sqlite.corrupt-") })
    }

    @Test(arguments: ["PRAGMA user_version = 5", "PRAGMA application_id = 7"])
    func foreignFileIsLeftUnchanged(sql: String) async throws {
        let folder = try Scratch()
        try await SQLiteCacheStore.open(at: folder.path()) { _ in }.close()
        try folder.tamper("cache.sqlite", sql)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path()))
        let code = await storeErrorCode { _ = try await SQLiteCacheStore.open(at: folder.path()) { _ in } }
        #expect(code == .unavailable)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path())) == before)
        #expect(try !folder.names.contains { $0.contains("corrupt") })
    }

    @Test func directoryInPlaceOfTheFileIsUnavailable() async throws {
        let folder = try Scratch()
        try FileManager.default.createDirectory(atPath: folder.path(), withIntermediateDirectories: false)
        let code = await storeErrorCode { _ = try await SQLiteCacheStore.open(at: folder.path()) { _ in } }
        #expect(code == .unavailable)
        #expect(try folder.names == ["cache.sqlite", "cache.sqlite.lock"])
    }

    @Test func aPathBelowAFileIsUnavailable() async throws {
        let folder = try Scratch()
        try Data("a file".utf8).write(to: URL(fileURLWithPath: folder.path("file")))
        let code = await storeErrorCode {
            _ = try await SQLiteCacheStore.open(at: folder.path("file/cache.sqlite")) { _ in }
        }
        #expect(code == .unavailable)
        #expect(try folder.names == ["file"])
    }

    @Test func corruptionAtRunTimeIsAMissUntilRecreatedAtOpen() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        var store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        for index in 0..<50 { try await store.keep("https://a.test/\(index)", Self.body) }
        try await store.close()
        store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        #expect(incidents.codes.isEmpty)
        // Damages all pages except those that opening reads.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path()))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data(repeating: 0xAA, count: Int(size) - 8192))
        try file.close()

        let asked = Box(0)
        let found = try await store.lookup(CacheKey(target: "https://a.test/7")) { variants in
            asked.change { $0 += 1 }
            return variants.first.map { CacheSelection(id: $0.id) }
        }
        #expect(found.variants.isEmpty && found.body == nil)
        #expect(asked.value == 1)
        #expect(incidents.codes == [.storeFailed])
        let code = await storeErrorCode { try await store.keep("https://a.test/new", Self.body) }
        #expect(code == .corrupt)
        #expect(incidents.codes == [.storeFailed])
        #expect(try folder.names.contains("cache.sqlite.damaged"))
        _ = await storeErrorCode { try await store.close() }

        store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        #expect(incidents.codes == [.storeFailed, .cacheRecreated])
        #expect(try !folder.names.contains("cache.sqlite.damaged"))
        try await store.keep("https://a.test/7", Self.body)
        #expect(try await store.body("https://a.test/7") == Self.body)
        try await store.close()
    }
}
