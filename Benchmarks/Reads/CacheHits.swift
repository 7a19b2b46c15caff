internal import Comparisons
internal import Fixtures
internal import WharfCache
internal import WharfCore
internal import WharfSQLite

/// Reads fresh hits: sends a request and reads the body to its end.
struct CacheHits: Subject {
    private let entries: Entries
    private let cache: CachingTransport
    private let file: SQLiteCacheStore?

    /// Creates hits in a memory store, which is filled here.
    static func inMemory(_ entries: Entries) async throws -> CacheHits {
        let store = MemoryCacheStore(byteLimit: 1 << 30)
        try await entries.fill(store)
        return CacheHits(entries: entries, cache: entries.cache(over: store), file: nil)
    }

    /// Creates hits in a cache file that was filled before.
    static func inFile(_ entries: Entries) async throws -> CacheHits {
        let store = try await CacheFiles.fromEnvironment().open(entries)
        return CacheHits(entries: entries, cache: entries.cache(over: store), file: store)
    }

    func item(_ index: Int) -> TransportRequest { entries.request(index) }

    func read(_ items: [TransportRequest]) async throws -> Int {
        var bytes = 0
        for request in items {
            let response = try await cache.send(request)
            // A cached answer would also be returned after a failure of the network.
            guard response.provenance.failure == nil else {
                throw WrongAnswer(expected: "a fresh hit", found: "\(response.provenance)")
            }
            // `collect` would also time its copies of the chunks into one array.
            for try await chunk in response.body { bytes += chunk.count }
        }
        return bytes
    }

    func close() async throws { try await file?.close() }
}
