import Foundation
import Testing
import WharfCache
import WharfCore
import WharfFakes
import WharfSQLite
import WharfStorage

struct CookieTests {
    private static let account = Account("ada")
    private static let fields: HTTPFields = [
        .cacheControl: "max-age=10", .eTag: "\"1\"", .setCookie: "session=hunter2",
    ]

    private func read(_ cache: CachingTransport, _ account: Account?) async throws -> (cookies: [String], Source) {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/1")
        let response = try await cache.send(TransportRequest(head, account: account))
        #expect(try await response.body.collect() == Array("hello".utf8))
        return (response.head.headerFields[values: .setCookie], response.provenance.source)
    }

    /// Reads from the network, from the store, after a 304, and from the store again.
    ///
    /// - Returns: the cookies of each answer.
    private func cookies(_ store: any CacheStore, of account: Account?) async throws -> [[String]] {
        let clock = TestClock()
        let confirmed: HTTPFields = [.cacheControl: "max-age=10", .eTag: "\"1\"", .setCookie: "session=hunter3"]
        let origin = StubTransport(clock: clock.wall) { request in
            request.head.headerFields[.ifNoneMatch] == nil
                ? .ok("hello", fields: Self.fields) : .respond(.notModified, fields: confirmed)
        }
        let cache = CachingTransport(origin, store: store, clock: clock.wall, onIncident: { _ in })
        var cookies: [[String]] = []
        for source in [Source.network, .httpCache, .revalidated, .httpCache] {
            if source == .revalidated { clock.advance(by: .seconds(15)) }
            let (found, from) = try await read(cache, account)
            #expect(from == source)
            cookies.append(found)
        }
        let key = CacheKey(account: account, target: "https://a.test/1")
        let stored = try await store.lookup(key) { _ in nil }.variants.map(\.head.response.headerFields)
        #expect(stored.map { $0.contains(.setCookie) } == [account != nil])
        return cookies
    }

    @Test func withoutAnAccountNoCookieIsStoredInMemory() async throws {
        let cookies = try await cookies(MemoryCacheStore(), of: nil)
        #expect(cookies == [["session=hunter2"], [], ["session=hunter3"], []])
    }

    @Test func withoutAnAccountNoCookieIsStoredInSQLite() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: { _ in })
        let cookies = try await cookies(store, of: nil)
        #expect(cookies == [["session=hunter2"], [], ["session=hunter3"], []])
        for name in try folder.names {
            let bytes = try Data(contentsOf: URL(filePath: folder.path(name)))
            #expect(bytes.firstRange(of: Data("hunter".utf8)) == nil, "\(name)")
        }
        try await store.close()
    }

    @Test func withAnAccountCookiesAreStoredForIt() async throws {
        let expected = [["session=hunter2"], ["session=hunter2"], ["session=hunter3"], ["session=hunter3"]]
        #expect(try await cookies(MemoryCacheStore(), of: Self.account) == expected)
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path(), onIncident: { _ in })
        #expect(try await cookies(store, of: Self.account) == expected)
        try await store.close()
    }
}
