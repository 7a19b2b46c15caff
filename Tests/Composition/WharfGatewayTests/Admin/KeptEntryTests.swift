import Foundation
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfStorage

@testable import WharfGateway

struct KeptEntryTests {
    private struct Page: Decodable {
        struct Entry: Decodable {
            var id: Int64
            var method: String
            var url: String
            var hasQuery: Bool
            var isPrivate: Bool
            var status: Int
            var bytes: Int64
            var age: Int
            var freshFor: Int
            var isFresh: Bool
            var reason: String
        }

        var entries: [Entry]
        var next: Int64?
    }

    private let clock = TestClock()

    private func page(_ admin: AdminClient, after use: Int64? = nil) async throws -> Page {
        let answer = try await admin.get("/entries.json" + (use.map { "?after=\($0)" } ?? ""))
        return try JSONDecoder().decode(Page.self, from: Data(answer.body))
    }

    private func put(
        _ target: String, into store: MemoryCacheStore, account: Account? = nil, _ fields: HTTPFields = [:]
    ) async throws {
        let head = StoredHead(
            response: HTTPResponse(status: .ok, headerFields: fields), requestedAt: clock.wall.now(),
            respondedAt: clock.wall.now())
        let writer = try await store.begin(CacheKey(account: account, target: target), head)
        try await writer.append(Array("hello".utf8))
        _ = try await writer.commit()
    }

    @Test func entryHasItsAgeAndFreshness() async throws {
        let store = MemoryCacheStore()
        try await put("http://origin.test/a", into: store, [.cacheControl: "max-age=60"])
        clock.advance(by: .seconds(7))
        try await withAdmin(over: RecordingTransport(), store: store, clock: clock) { _, admin in
            let entry = try #require(try await page(admin).entries.first)
            #expect((entry.method, entry.url, entry.status) == ("GET", "http://origin.test/a", 200))
            #expect((entry.hasQuery, entry.isPrivate) == (false, false))
            #expect((entry.age, entry.freshFor, entry.isFresh) == (7, 53, true))
            #expect(entry.reason == "answers until it is stale (max-age)")
            let statistics = try await store.statistics()
            #expect(entry.bytes == statistics.byteCount)
            #expect(
                try await admin.state().store
                    == State.Store(entries: 1, bytes: Int(entry.bytes), byteLimit: statistics.byteLimit.map { Int($0) })
            )
        }
    }

    /// The words follow from the policy of the gateway's cache, which is shared here.
    @Test(arguments: [
        ("max-age=60", nil, "answers until it is stale (max-age)"),
        ("max-age=60, s-maxage=70", nil, "answers until it is stale (s-maxage)"),
        ("max-age=1, stale-while-revalidate=60", "\"a\"", "answers while it is revalidated (stale-while-revalidate)"),
        ("max-age=1", "\"a\"", "kept to be revalidated, and to answer if the origin can't be reached"),
        ("max-age=1", nil, "kept to answer if the origin can't be reached"),
        (
            "max-age=1, must-revalidate", "\"a\"",
            "kept to be revalidated: it is stale, and must-revalidate forbids its use (RFC 9111 §5.2.2.2)"
        ),
        (
            "max-age=1, must-revalidate", nil,
            "never used again: it is stale, and must-revalidate forbids its use (RFC 9111 §5.2.2.2)"
        ),
        (
            "max-age=60, no-cache", "\"a\"",
            "kept to be revalidated: no-cache: it must be validated before each use (RFC 9111 §5.2.2.4)"
        ),
        (
            "max-age=1, stale-if-error=2", nil,
            "never used again: it has been stale for longer than is allowed (RFC 5861 §4)"
        ),
        (
            "s-maxage=1", "\"a\"",
            "kept to be revalidated: it is stale, and s-maxage forbids its use in a shared cache (RFC 9111 §5.2.2.10)"
        ),
    ])
    func reasonFollowsFromThePolicy(control: String, tag: String?, reason: String) async throws {
        var fields: HTTPFields = [.cacheControl: control]
        if let tag { fields[.eTag] = tag }
        let now = clock.wall.now()
        let head = StoredHead(
            response: HTTPResponse(status: .ok, headerFields: fields), requestedAt: now, respondedAt: now)
        let entry = CacheEntry(
            id: 1, key: CacheKey(target: "http://origin.test/a?b"), head: head, bodyLength: 0, byteCount: 0, lastUse: 1)
        let report = EntryReport(entry, by: .shared, at: now + .seconds(10))
        #expect(report.reason == reason)
    }

    /// A private cache has no `s-maxage`, and may answer although it is stale.
    @Test func reasonIsThatOfTheGatewaysOwnCache() async throws {
        let store = MemoryCacheStore()
        try await put("http://origin.test/a", into: store, [.cacheControl: "s-maxage=60"])
        let caching = CachingTransport(RecordingTransport(), store: store, onIncident: { Issue.record("\($0)") })
        try await withAdmin(over: caching, store: store, clock: clock) { _, admin in
            let entry = try await page(admin).entries.first
            #expect(entry?.isFresh == false)
        }
        try await withAdmin(over: RecordingTransport(), store: store, clock: clock) { _, admin in
            let entry = try await page(admin).entries.first
            #expect(entry?.isFresh == true)
        }
    }

    @Test func removedEntryIsFetchedAgain() async throws {
        let origin = RecordingTransport(fields: [.contentLength: "2", .cacheControl: "max-age=60"])
        let store = MemoryCacheStore()
        let caching = CachingTransport(
            origin, store: store, configuration: .shared, clock: clock.wall, onIncident: { Issue.record("\($0)") })
        try await withAdmin(over: caching, store: store, clock: clock) { gateway, admin in
            for (index, path) in ["/a?x", "/b"].enumerated() {
                _ = try await gateway.get(path)
                // The answer is stored when the gateway has read its end.
                while try await page(admin).entries.count <= index {}
            }
            let entries = try await page(admin).entries
            #expect(entries.map(\.url) == ["http://origin.test/b", "http://origin.test/a"])
            #expect(try await admin.post("/entries/remove?id=\(entries[1].id)").status == 204)
            #expect(try await page(admin).entries.map(\.url) == ["http://origin.test/b"])
            #expect(try await admin.post("/entries/remove?id=\(entries[1].id)").status == 404)
            for path in ["/a?x", "/b"] { _ = try await gateway.get(path) }
        }
        #expect(origin.requests.map(\.head.path) == ["/a?x", "/b", "/a?x"])
    }

    @Test func pagesHaveEachEntryOnce() async throws {
        let store = MemoryCacheStore()
        for number in 0..<220 { try await put("http://origin.test/\(number)", into: store) }
        try await withAdmin(over: RecordingTransport(), store: store, clock: clock) { _, admin in
            var pages = [try await page(admin)]
            while let next = pages.last?.next { pages.append(try await page(admin, after: next)) }
            #expect(pages.map(\.entries.count) == [50, 50, 50, 50, 20])
            let urls = (0..<220).reversed().map { "http://origin.test/\($0)" }
            #expect(pages.flatMap { $0.entries.map(\.url) } == urls)
            // The search for its key reads 200 entries at once.
            let last = try #require(pages.last?.entries.last)
            #expect(try await admin.post("/entries/remove?id=\(last.id)").status == 204)
            #expect(try await store.statistics().entryCount == 219)
        }
    }

    @Test func noAnswerHasASecret() async throws {
        let gate = Gate()
        let store = MemoryCacheStore()
        let origin = ClosureTransport { request in
            if request.head.path?.hasPrefix("/slow") == true { await gate.pass() }
            return .text("s3cret", fields: [.contentLength: "6", .cacheControl: "max-age=60"])
        }
        let caching = CachingTransport(
            origin, store: store, configuration: .shared, clock: clock.wall, onIncident: { Issue.record("\($0)") })
        try await put("http://user:s3cret@origin.test/c?s3cret#", into: store, account: Account("s3cret"))
        try await withAdmin(over: caching, store: store, clock: clock) { gateway, admin in
            _ = try await gateway.get("/a?key=s3cret")
            while try await store.statistics().entryCount < 2 {}
            try await RawClient.run(gateway) { client in
                try await client.get("/slow?key=s3cret", of: gateway, "Authorization: s3cret", "Cookie: s3cret")
                await gate.arrivals()
                for path in ["/", "/metrics", "/state.json", "/entries.json", "/healthz?s3cret", "/?s3cret"] {
                    let answer = try await admin.get(path)
                    #expect(answer.status == 200)
                    #expect(!answer.text.contains("s3cret"), "\(path)")
                    #expect(!answer.head.fields.contains { $0.value.contains("s3cret") }, "\(path)")
                }
                gate.open()
                #expect(try await client.answer().status == 200)
            }
            let entries = try await page(admin).entries
            #expect(entries.allSatisfy { $0.hasQuery })
            #expect(Set(entries.map(\.url)) == ["http://origin.test/a", "http://origin.test/c"])
            #expect(Set(entries.filter(\.isPrivate).map(\.url)) == ["http://origin.test/c"])
        }
    }
}
