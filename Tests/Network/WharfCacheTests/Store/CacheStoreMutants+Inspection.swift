import WharfCache
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage

extension CacheStoreMutants {
    static let inspection: [Mutant] = [
        mutant("lists by age", breaks: "a list names each committed response once, in the order of use") {
            $0.list = { (base, use, limit) async throws(StoreError) in
                let all = try await base.entries(usedBefore: use, limit: .max)
                return Array(all.sorted { $0.id > $1.id }.prefix(limit))
            }
        },
        mutant("begins a page with the last entry", breaks: "pages of a list leave no gap and repeat nothing") {
            $0.list = { (base, use, limit) async throws(StoreError) in
                try await base.entries(usedBefore: use.map { $0 + 1 }, limit: limit)
            }
        },
        mutant("uses what it reads", breaks: "to list a response and to read a listed body is no use") {
            $0.read = { (base, entry) async throws(StoreError) in
                try await base.lookup(entry.key) { _ in CacheSelection(id: entry.id) }.body
            }
        },
        mutant("drops a byte", breaks: "a listed body is complete, and nil when its response is gone") {
            $0.read = { (base, entry) async throws(StoreError) in
                guard let body = try await base.body(of: entry) else { return nil }
                do {
                    return BodyStream(Array(try await body.collect().dropLast()))
                } catch {
                    return nil
                }
            }
        },
        mutant("counts no heads", breaks: "the statistics count what is listed") {
            $0.count = { (base) async throws(StoreError) in
                var counted = try await base.statistics()
                counted.byteCount -= Int64(counted.entryCount)
                return counted
            }
        },
    ]

    private static func mutant(
        _ description: String, breaks law: String, _ spoil: @escaping @Sendable (inout WrongInspection) -> Void
    ) -> Mutant {
        Mutant(
            breaks: law,
            .init(description) { limit in
                var store = WrongInspection(base: MemoryCacheStore(byteLimit: limit))
                spoil(&store)
                return store
            })
    }
}

/// A correct store with an inspection that has one defect.
private struct WrongInspection: InspectableCacheStore {
    let base: MemoryCacheStore
    var list: @Sendable (MemoryCacheStore, Int64?, Int) async throws(StoreError) -> [CacheEntry] = {
        (base, use, limit) async throws(StoreError) in try await base.entries(usedBefore: use, limit: limit)
    }
    var read: @Sendable (MemoryCacheStore, CacheEntry) async throws(StoreError) -> BodyStream? = {
        (base, entry) async throws(StoreError) in try await base.body(of: entry)
    }
    var count: @Sendable (MemoryCacheStore) async throws(StoreError) -> CacheStatistics = {
        (base) async throws(StoreError) in try await base.statistics()
    }

    func entries(usedBefore use: Int64?, limit: Int) async throws(StoreError) -> [CacheEntry] {
        try await list(base, use, limit)
    }
    func body(of entry: CacheEntry) async throws(StoreError) -> BodyStream? { try await read(base, entry) }
    func statistics() async throws(StoreError) -> CacheStatistics { try await count(base) }

    func lookup(
        _ key: CacheKey, select: @Sendable ([StoredResponse]) -> CacheSelection?
    ) async throws(StoreError) -> CacheLookup {
        try await base.lookup(key, select: select)
    }
    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        try await base.begin(key, head)
    }
    func update(_ id: StoredResponse.ID, under key: CacheKey, to head: StoredHead) async throws(StoreError) {
        try await base.update(id, under: key, to: head)
    }
    func remove(_ id: StoredResponse.ID, under key: CacheKey) async throws(StoreError) {
        try await base.remove(id, under: key)
    }
    func removeAll(under key: CacheKey) async throws(StoreError) { try await base.removeAll(under: key) }
    func removeAll(of account: Account?) async throws(StoreError) { try await base.removeAll(of: account) }
}
