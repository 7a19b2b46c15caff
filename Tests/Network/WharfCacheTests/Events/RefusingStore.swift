import WharfCache
import WharfCore
import WharfStorage

/// A store over one in memory, which refuses the calls that a conformer implements.
protocol RefusingStore: CacheStore {
    var base: MemoryCacheStore { get }
}

extension RefusingStore {
    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup { try await base.lookup(key, select: select) }

    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        try await base.begin(key, head)
    }

    func update(
        _ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead
    ) async throws(StoreError) { try await base.update(id, under: key, to: head) }

    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        try await base.remove(id, under: key)
    }

    func removeAll(under key: CacheKey) async throws(StoreError) { try await base.removeAll(under: key) }
    func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }
}

extension StoreError {
    static var refused: StoreError { StoreError(.failed, message: "scripted") }
}
