internal import Synchronization
public import WharfCore
public import WharfStorage

extension MemoryCacheStore: InspectableCacheStore {
    /// Lists entries, the most recently used first.
    ///
    /// - Complexity: a page takes time in proportion to its entries and those before it.
    public func entries(usedBefore use: Int64?, limit: Int) async throws(StoreError) -> [CacheEntry] {
        state.withLock { $0.listed(usedBefore: use ?? .max, limit: limit) }
    }

    public func body(of entry: CacheEntry) async throws(StoreError) -> BodyStream? {
        guard let stored = state.withLock({ $0.entry(entry.key) }),
            let index = stored.variants.firstIndex(where: { $0.id == entry.id })
        else { return nil }
        // `touch` is not called, unlike in a lookup.
        return BodyStream(stored.bodies[index])
    }

    public func statistics() async throws(StoreError) -> CacheStatistics {
        state.withLock {
            CacheStatistics(entryCount: $0.count, byteCount: Int64($0.total), byteLimit: Int64(byteLimit))
        }
    }
}

extension MemoryEntries {
    var count: Int { recency.count }

    func listed(usedBefore use: Int64, limit: Int) -> [CacheEntry] {
        recency.newest(usedBefore: use, limit: limit).compactMap { node in
            // Each node has its variant, by the invariant of `recency`.
            guard let variant = entry(node.key)?.variants.first(where: { $0.id == node.id }) else { return nil }
            return CacheEntry(
                id: node.id, key: node.key, head: variant.head, bodyLength: variant.length,
                byteCount: Int64(node.cost), lastUse: node.use)
        }
    }
}
