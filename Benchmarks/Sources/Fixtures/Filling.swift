internal import Comparisons
public import WharfCache
internal import WharfCore
public import WharfStorage

extension Entries {
    /// Fills a store with every entry, by reads through the cache.
    public func fill(_ store: any CacheStore) async throws {
        let cache = CachingTransport(Origin(self), store: store, onIncident: Self.stop)
        // Several at a time keep a store busy that writes one after another. A million entries take
        // minutes.
        let strides = 8
        try await withThrowingTaskGroup { group in
            for first in 0..<strides {
                group.addTask {
                    for index in stride(from: first, to: count, by: strides) { try await self.read(index, cache) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func read(_ index: Int, _ cache: CachingTransport) async throws {
        let body = try await cache.send(request(index)).body.collect()
        guard body.count == length else { throw WrongAnswer(expected: "\(length) bytes", found: "\(body.count)") }
    }

    /// Returns a cache over a filled store, without a network.
    public func cache(over store: any CacheStore) -> CachingTransport {
        CachingTransport(NoNetwork(), store: store, onIncident: Self.stop)
    }

    /// Stops at an incident, because the figures of such a run would mean nothing.
    static let stop: IncidentHandler = { fatalError("\($0.code): \($0.message)") }
}
