import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage

@testable import WharfCache

@Suite struct MemoryCacheStoreTests {
    @Test func byteCountIsZeroWhenAllIsRemoved() async throws {
        let store = MemoryCacheStore()
        let head = StoredHead(
            response: HTTPResponse(status: .ok), requestedAt: .distantPast, respondedAt: .distantPast
        )
        let key = CacheKey(target: "https://example.com/")
        let writer = try await store.begin(key, head)
        try await writer.append([1, 2, 3])
        let id = try await writer.commit()
        #expect(store.byteCount > 3)
        var longer = head
        longer.response.headerFields[.server] = "a longer head"
        try await store.update(id, under: key, to: longer)
        try await store.removeAll(of: nil)
        #expect(store.byteCount == 0)
    }

    @Test(arguments: BodyProducerLaws.all)
    func memoryPartKeeps(law: Law<BodyProducerLaws.Subject>) async throws {
        try await law.check(
            .init("MemoryPart") { bytes in MemoryPart([1, 2] + bytes + [3], 2..<Int64(bytes.count) + 2) })
    }

    @Test func evictionsAreReportedOldestFirst() async throws {
        let evictions = Mutex<[CacheEviction]>([])
        let store = MemoryCacheStore(byteLimit: 4_000) { eviction in evictions.withLock { $0.append(eviction) } }
        let head = StoredHead(
            response: HTTPResponse(status: .ok), requestedAt: .distantPast, respondedAt: .distantPast)
        var sizes: [Int64] = []
        for name in ["a", "b", "c"] {
            let before = store.byteCount
            try await store.put(
                CacheKey(target: "https://example.com/\(name)"), head, [UInt8](repeating: 1, count: 900))
            sizes.append(Int64(store.byteCount - before))
        }
        // Neither a replacement nor a removal is an eviction.
        try await store.put(CacheKey(target: "https://example.com/c"), head, [UInt8](repeating: 2, count: 900))
        #expect(evictions.withLock { $0 }.isEmpty)
        try await store.put(CacheKey(target: "https://example.com/d"), head, [UInt8](repeating: 1, count: 2_000))
        #expect(
            evictions.withLock { $0 }
                == zip(["a", "b"], sizes).map { name, size in
                    CacheEviction(
                        key: CacheKey(target: "https://example.com/\(name)"), byteCount: size, reason: .byteLimit)
                })
    }

    @Test func responseAnnouncedTooLargeIsRefusedAtOnce() async throws {
        let store = MemoryCacheStore(byteLimit: 2_000)
        var head = StoredHead(
            response: HTTPResponse(status: .ok), requestedAt: .distantPast, respondedAt: .distantPast)
        let key = CacheKey(target: "https://example.com/")
        head.response.headerFields[.contentLength] = "2000"
        do {
            _ = try await store.begin(key, head)
            Issue.record("it was begun")
        } catch {
            #expect(error.code == .tooLarge)
        }
        head.response.headerFields[.contentLength] = "1000"
        _ = try await store.begin(key, head)
    }

    @Test func lookupFindsItsResponseIfTheStoreEndsMeanwhile() async throws {
        let store = MemoryCacheStore()
        let key = CacheKey(target: "https://example.com/")
        let head = StoredHead(
            response: HTTPResponse(status: .ok), requestedAt: .distantPast, respondedAt: .distantPast
        )
        let writer = try await store.begin(key, head)
        try await writer.append([1, 2, 3])
        _ = try await writer.commit()
        // The closure runs between the read of the entry and its mark as used.
        let found = try await store.lookup(key) { variants in
            store.end()
            return variants.first.map { CacheSelection(id: $0.id) }
        }
        #expect(try await found.body?.collect() == [1, 2, 3])
        #expect(try await store.lookup(key) { $0.first.map { CacheSelection(id: $0.id) } }.variants.isEmpty)
    }
}
