import Testing
import WharfCache
import WharfCore

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
}
