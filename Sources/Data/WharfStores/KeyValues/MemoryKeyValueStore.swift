internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// Values in memory, for tests, previews, and data that must not reach a disk.
public final class MemoryKeyValueStore: KeyValueStore {
    private let values = Mutex<[UTF8Key: [UInt8]]>([:])

    /// Creates an empty store.
    public init() {}

    public func value(for key: String) async throws(StoreError) -> [UInt8]? {
        values.withLock { $0[UTF8Key(key)] }
    }

    public func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        values.withLock { $0[UTF8Key(key)] = value }
    }

    /// - Complexity: O(n) in the names, and a sort of the matches.
    public func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        values.withLock { $0.keys.listed(withPrefix: prefix) }
    }
}
