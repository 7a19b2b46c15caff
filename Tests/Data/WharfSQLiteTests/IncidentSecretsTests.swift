import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfSQLite
import WharfStorage

/// Incidents are logged, and URL queries may contain keys.
struct IncidentSecretsTests {
    private static let target = "https://ada:hunter2@a.test/1?token=hunter2&hunter2#hunter2"

    private func expectNoSecret(_ incidents: IncidentLog, _ codes: Set<Incident.Code>) {
        #expect(Set(incidents.codes) == codes)
        for incident in incidents.all {
            let reported = "\(incident.message) \(incident.cause.map { "\($0)" } ?? "")"
            #expect(!reported.contains("hunter2"), "\(incident.code): \(reported)")
        }
    }

    private func read(_ store: any CacheStore, _ incidents: IncidentLog) async throws {
        let origin = StubTransport { _ in
            .ok(String(repeating: "a", count: 5000), fields: [.cacheControl: "max-age=60"])
        }
        let cache = CachingTransport(origin, store: store, onIncident: incidents.handler)
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/1?token=hunter2&hunter2")
        _ = try await cache.send(TransportRequest(head)).body.collect()
    }

    @Test func aDamagedEntryIsReportedWithoutItsQuery() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keep(Self.target, [1, 2, 3])
        try folder.tamper("cache.sqlite", "UPDATE body SET bytes = x''")
        #expect(try await store.body(Self.target) == nil)
        expectNoSecret(incidents, [.entryDropped])
        #expect(incidents.all.first?.message.contains("https://a.test/1?token=***&***") == true)
        try await store.close()
    }

    @Test func aStoreThatFailsIsReportedWithoutTheQuery() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.close()
        try await read(store, incidents)
        expectNoSecret(incidents, [.storeFailed])
    }

    @Test func anEntryThatIsTooLargeIsReportedWithoutItsQuery() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let small = try await SQLiteCacheStore.open(
            at: folder.path(), entryLimit: 1000, onIncident: incidents.handler)
        try await read(small, incidents)
        try await read(MemoryCacheStore(byteLimit: 1000), incidents)
        expectNoSecret(incidents, [.notKept])
        #expect(incidents.all.count == 2)
        try await small.close()
    }

    @Test func recreatedCacheIsReportedWithoutItsContents() async throws {
        let folder = try Scratch()
        let incidents = IncidentLog()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        try await store.keep(Self.target, [1, 2, 3])
        try await store.close()
        try folder.tamper("cache.sqlite", "DROP INDEX response_key")
        let again = try await SQLiteCacheStore.open(at: folder.path(), onIncident: incidents.handler)
        expectNoSecret(incidents, [.cacheRecreated])
        try await again.close()
    }
}
