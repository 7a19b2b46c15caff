internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// Keeps values as long as it is there itself: for tests, previews, and what must not lie on a
/// disk.
public final class MemoryKeyValueStore: KeyValueStore {
    private let values = Mutex<[UTF8Key: [UInt8]]>([:])

    public init() {}

    public func value(for key: String) async throws(StoreError) -> [UInt8]? {
        values.withLock { $0[UTF8Key(key)] }
    }

    public func set(_ value: [UInt8]?, for key: String) async throws(StoreError) {
        values.withLock { $0[UTF8Key(key)] = value }
    }

    /// - Complexity: one look at each name, and a sort of those that match.
    public func keys(withPrefix prefix: String) async throws(StoreError) -> [String] {
        values.withLock { $0.keys.listed(withPrefix: prefix) }
    }
}
