import Synchronization
import WharfCore
import WharfCoreLaws
import WharfStores

/// Every entity store that runs here.
enum EntityStoreConformer: String, CaseIterable, Sendable {
    case memory, keyValuesInMemory, keyValuesInFiles, closures
    #if Encryption
    case keyValuesEncrypted
    #endif

    func subject(in scratch: Scratch) -> EntityStoreLaws.Subject {
        switch self {
        case .memory: .init(rawValue) { MemoryEntityStore() }
        case .closures: .init(rawValue) { ClosureEntityStore.dictionary() }
        case .keyValuesInMemory: overKeyValues { MemoryKeyValueStore() }
        case .keyValuesInFiles: overKeyValues { try await FileKeyValueStore.open(at: scratch.fresh()) }
        #if Encryption
        case .keyValuesEncrypted:
            overKeyValues { EncryptedKeyValueStore(MemoryKeyValueStore(), key: KeyValueConformer.key) }
        #endif
        }
    }

    private func overKeyValues(
        _ make: @escaping @Sendable () async throws -> any KeyValueStore
    ) -> EntityStoreLaws.Subject {
        .init(rawValue) { store in
            guard let store = store as? Reopening else { return store }
            return Reopening(base: store.base)
        } _: {
            Reopening(base: try await make())
        }
    }
}

/// A store over one that outlives it.
private struct Reopening: EntityStore {
    let base: any KeyValueStore
    let store: KeyValueEntityStore

    init(base: any KeyValueStore) {
        self.base = base
        store = KeyValueEntityStore(base)
    }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await store.row(key) }
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] { try await store.rows(keys) }
    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        try await store.rows(query, of: account, kind: kind)
    }
    func commit(_ changes: [EntityChange]) async throws(StoreError) { try await store.commit(changes) }
    func removeAll(of account: Account?) async throws(StoreError) { try await store.removeAll(of: account) }
    func changes(of account: Account?, kind: String) -> EntityChanges { store.changes(of: account, kind: kind) }
}

extension ClosureEntityStore {
    /// As an app would write it whose own stack is a dictionary.
    static func dictionary(subscriptions: EntitySubscriptions = EntitySubscriptions()) -> ClosureEntityStore {
        let stack = OwnStack()
        return ClosureEntityStore(subscriptions: subscriptions) { account, kind in
            stack.rows.withLock { $0.values.filter { $0.key.account == account && $0.key.kind == kind } }
        } commit: { changes in
            stack.rows.withLock { rows in
                for change in changes {
                    switch change {
                    case .put(let row): rows[row.key] = row
                    case .remove(let key): rows[key] = nil
                    }
                }
            }
        } removeAll: { account in
            stack.rows.withLock { rows in rows = rows.filter { $0.key.account != account } }
        }
    }
}

private final class OwnStack: Sendable {
    let rows = Mutex<[EntityKey: EntityRow]>([:])
}
