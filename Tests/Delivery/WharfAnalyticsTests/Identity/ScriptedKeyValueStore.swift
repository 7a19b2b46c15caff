import Synchronization
import WharfCore
import WharfStores

/// A store in memory that can fail, and that reports each write before it is made.
final class ScriptedKeyValueStore: KeyValueStore {
    private let values = MemoryKeyValueStore()
    private let failure = Mutex<(error: StoreError?, writes: Int)>((nil, 0))
    private let willSet: @Sendable (String) async -> Void

    init(willSet: @escaping @Sendable (String) async -> Void = { _ in }) { self.willSet = willSet }

    /// Fails each write after the next `count` ones, or none if `error` is nil.
    func fail(with error: StoreError?, after count: Int = 0) { failure.withLock { $0 = (error, count) } }

    func value(for key: String) async throws(StoreError) -> [UInt8]? { try await values.value(for: key) }

    func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        let failure = failure.withLock { failure in
            failure.writes -= 1
            return failure.writes < 0 ? failure.error : nil
        }
        if let failure { throw failure }
        await willSet(key)
        try await values.set(value, for: key)
    }

    func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await values.keys(withPrefix: prefix)
    }
}
