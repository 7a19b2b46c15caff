import Synchronization
import WharfCache
import WharfCore
import WharfStorage

/// A store in memory that calls a closure before each append and commit of its writers.
struct HookedStore: RefusingStore {
    enum Point: Sendable, Hashable {
        /// The append with this number, the first being 1.
        case append(Int)
        case commit
    }

    typealias Hook = @Sendable (Point) async throws(StoreError) -> Void

    let base = MemoryCacheStore()
    let hook: Hook

    init(_ hook: @escaping Hook) { self.hook = hook }

    /// Fails one call.
    init(_ code: StoreError.Code, at failing: Point) {
        self.init { point throws(StoreError) in
            if point == failing { throw StoreError(code, message: "scripted") }
        }
    }

    func begin(_ key: CacheKey, _ head: StoredHead) async throws(StoreError) -> any CacheWriter {
        Writer(try await base.begin(key, head), hook)
    }

    private final class Writer: CacheWriter {
        private let base: any CacheWriter
        private let hook: Hook
        private let count = Mutex(0)

        init(_ base: any CacheWriter, _ hook: @escaping Hook) { (self.base, self.hook) = (base, hook) }

        func append(_ bytes: [UInt8]) async throws(StoreError) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            try await hook(.append(number))
            try await base.append(bytes)
        }

        func commit(as head: StoredHead?) async throws(StoreError) -> StoredResponse.ID {
            try await hook(.commit)
            return try await base.commit(as: head)
        }

        func abandon() { base.abandon() }
    }
}
