import Synchronization
import WharfCore
import WharfStores

/// A store in memory that can fail, and reports each write before it is made.
final class ScriptedKeyValueStore: KeyValueStore {
    private let values = MemoryKeyValueStore()
    private let failure = Mutex<StoreError?>(nil)
    private let willSet: @Sendable (String) -> Void

    init(willSet: @escaping @Sendable (String) -> Void = { _ in }) { self.willSet = willSet }

    func fail(with error: StoreError?) { failure.withLock { $0 = error } }

    func value(for key: String) async throws(StoreError) -> [UInt8]? { try await values.value(for: key) }

    func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        if let failure = failure.withLock({ $0 }) { throw failure }
        willSet(key)
        try await values.set(value, for: key)
    }

    func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        try await values.keys(withPrefix: prefix)
    }
}
