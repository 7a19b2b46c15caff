public import WharfCache
public import WharfCore

extension Entries {
    /// Puts every entry into a store, as reads through the cache do.
    public func fill(_ store: any CacheStore) async throws {
        let cache = CachingTransport(Origin(self), store: store, onIncident: Self.stop)
        // Several at a time: a store that writes one after another is then busy all the time, and a
        // million take minutes.
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

    /// A cache that is filled already, and has no network.
    public func cache(over store: any CacheStore) -> CachingTransport {
        CachingTransport(NoNetwork(), store: store, onIncident: Self.stop)
    }

    /// Figures of a run in which something went wrong would mean nothing.
    static let stop: IncidentHandler = { fatalError("\($0.code): \($0.message)") }
}

/// What was measured did not do what is meant to be measured.
public struct WrongAnswer: Error {
    let expected: String
    let found: String

    public init(expected: String, found: String) {
        self.expected = expected
        self.found = found
    }
}
