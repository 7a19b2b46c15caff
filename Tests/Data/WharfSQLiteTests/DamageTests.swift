import Testing
import WharfCore
import WharfFakes
import WharfSQLite
import WharfStorage

@Suite struct DamageTests {
    private static let body = [UInt8]((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    /// Each statement damages the only row, which must then never be served.
    @Test(arguments: [
        "UPDATE body SET bytes = CAST(x'FF' || substr(bytes, 2) AS BLOB)",
        "UPDATE body SET bytes = CAST(substr(bytes, 1, 4999) || x'00' AS BLOB)",
        "UPDATE body SET bytes = substr(bytes, 1, 4999)",
        "UPDATE body SET bytes = zeroblob(5000)",
        "UPDATE body SET bytes = x''",
        "DELETE FROM body",
        "UPDATE response SET head = CAST(substr(head, 1, 40) || x'7A' || substr(head, 42) AS BLOB)",
        "UPDATE response SET head = substr(head, 1, length(head) - 1)",
        "UPDATE response SET head = x''",
        "UPDATE response SET head = x'0102'",
    ])
    func damagedEntryIsDroppedReportedAndNeverServed(sql: String) async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let damaged = try await store.keep("https://a.test/1", Self.body)
        try folder.tamper(sql: sql)
        try await store.keep("https://a.test/2", Self.body)

        let found = try await store.lookup(CacheKey(target: "https://a.test/1")) {
            $0.first.map { CacheSelection(id: $0.id) }
        }
        #expect(found.variants.isEmpty)
        #expect(found.body == nil)
        #expect(incidents.codes == [.entryDropped])
        #expect(incidents.all.first?.message.contains("https://a.test/1") == true)

        #expect(try await store.body("https://a.test/2") == Self.body)
        #expect(incidents.codes == [.entryDropped])
        try await store.close()
        #expect(try folder.count("SELECT count(*) FROM response WHERE id = \(damaged)") == 0)
        #expect(try folder.count("SELECT count(*) FROM body") == 1)
    }

    @Test func entryMovedToAnotherKeyIsNotServed() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keep("https://a.test/1", Self.body)
        try folder.tamper(sql: "UPDATE response SET target = 'https://a.test/3'")
        #expect(try await store.body("https://a.test/3") == nil)
        #expect(incidents.codes == [.entryDropped])
        try await store.close()
    }

    @Test func damagedVariantLeavesTheOthers() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        let key = CacheKey(target: "https://a.test/1")
        for language in ["de", "en"] {
            var head = StoredHead.sample
            head.varying = [.acceptLanguage: language]
            let writer = try await store.begin(key, head)
            try await writer.append(Array(language.utf8))
            _ = try await writer.commit()
        }
        try folder.tamper(sql: "UPDATE body SET bytes = x'00' WHERE id = (SELECT max(id) FROM body)")
        let first = try await store.lookup(key) { $0.first.map { CacheSelection(id: $0.id) } }
        #expect(first.variants.map { $0.head.varying[.acceptLanguage] } == ["de"])
        #expect(first.body == nil)
        let second = try await store.lookup(key) { $0.first.map { CacheSelection(id: $0.id) } }
        #expect(try await second.body?.collect() == Array("de".utf8))
        try await store.close()
    }
}

extension Scratch {
    fileprivate func tamper(sql: String) throws { try tamper("cache.sqlite", sql) }
}
