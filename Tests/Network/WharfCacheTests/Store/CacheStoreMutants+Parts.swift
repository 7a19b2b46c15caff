import Synchronization
import WharfCache
import WharfChecks
import WharfCore
import WharfStorage

extension CacheStoreMutants {
    static let parts: [Mutant] = [
        mutant("gives the whole body for a part", breaks: exact) { store in
            store.selects { selection, _ in selection.part = nil }
        },
        mutant("leaves out the last byte of a part", breaks: exact) { store in
            store.selects { selection, _ in
                guard let part = selection.part, part.lowerBound < part.upperBound else { return }
                selection.part = part.lowerBound...part.upperBound - 1
            }
        },
        mutant("gives the last byte for a part beyond the end", breaks: exact) { store in
            store.selects { selection, length in
                guard let part = selection.part, part.lowerBound >= length, length > 0 else { return }
                selection.part = length - 1...length - 1
            }
        },
        mutant("gives the length of the part as that of the response", breaks: exact) { store in
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                let isPart = Mutex(false)
                var found = try await base.lookup(key) { all in
                    let selection = select(all)
                    isPart.withLock { $0 = selection?.part != nil }
                    return selection
                }
                if isPart.withLock({ $0 }), let length = found.body?.expectedLength {
                    for index in found.variants.indices { found.variants[index].length = length }
                }
                return found
            }
        },
        mutant("ends a body early when its entry is gone", breaks: lasting) {
            store in
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                var found = try await base.lookup(key, select: select)
                // Shorter bodies are replaced during their read by the law of concurrent writers.
                guard let body = found.body, let expected = body.expectedLength, expected > 100_000 else {
                    return found
                }
                let ids = found.variants.map(\.id)
                let producer = FleetingBody(body) {
                    // The store is in memory, and its lookup does not throw.
                    let left = (try? await base.variants(key).map(\.id)) ?? []
                    return ids.contains(where: left.contains)
                }
                found.body = BodyStream(producer, expectedLength: expected)
                return found
            }
        },
    ]

    private static let exact = "a part of a body is exactly the selected bytes that it has"
    private static let lasting = "a body that was looked up can be read after its entry is gone"
}

extension WrongCacheStore {
    /// Changes the selection, given the length of the selected body.
    fileprivate mutating func selects(_ change: @escaping @Sendable (inout CacheSelection, Int64) -> Void) {
        look = { [base] (key, select) async throws(StoreError) in
            try await base.lookup(key) { all in
                guard var selection = select(all) else { return nil }
                let length = all.first { $0.id == selection.id }?.length ?? 0
                change(&selection, length)
                return selection
            }
        }
    }
}

/// A body that ends when its entry is gone.
private final class FleetingBody: BodyStream.Producer {
    private let body: BodyStream
    private let isThere: @Sendable () async -> Bool

    init(_ body: BodyStream, while isThere: @escaping @Sendable () async -> Bool) {
        (self.body, self.isThere) = (body, isThere)
    }

    func next() async throws(TransportError) -> [UInt8]? {
        guard await isThere() else { return nil }
        var iterator = body.makeAsyncIterator()
        return try await iterator.next(isolation: nil)
    }

    func cancel() {}
}
