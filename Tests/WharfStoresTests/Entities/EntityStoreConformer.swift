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
        case .memory: .init(rawValue, tombstones: 20) { MemoryEntityStore(tombstones: 10) }
        case .closures: .init(rawValue, tombstones: 300) { ClosureEntityStore.dictionary(tombstones: 200) }
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
        .init(
            rawValue,
            reopen: { store in
                guard let store = store as? Reopening else { return store }
                return Reopening(base: store.base)
            }, tombstones: 80
        ) {
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
        store = KeyValueEntityStore(base, tombstones: 40)
    }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? { try await store.row(key) }
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] { try await store.rows(keys) }
    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        try await store.rows(query, of: account, kind: kind)
    }
    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await store.states(of: keys)
    }
    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        try await store.states(query, of: account, kind: kind)
    }
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await store.commit(changes, expecting: expected)
    }
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await store.removeAll(of: account)
    }
    func changes(of account: Account?, since version: StoreVersion) -> EntityFeed {
        store.changes(of: account, since: version)
    }
    func changes(of account: Account?, kind: String) -> EntityChanges { store.changes(of: account, kind: kind) }
}

extension ClosureEntityStore {
    /// As an app would write it whose own stack is a dictionary.
    static func dictionary(
        subscriptions: EntitySubscriptions = EntitySubscriptions(), tombstones: Int = 10_000
    ) -> ClosureEntityStore {
        let stack = OwnStack()
        return ClosureEntityStore(
            subscriptions: subscriptions,
            allRows: { account, kind in
                stack.rows.withLock { $0.values.filter { $0.key.account == account && $0.key.kind == kind } }
            },
            commit: { changes in
                stack.rows.withLock { rows in
                    for change in changes {
                        switch change {
                        case .put(let row): rows[row.key] = row
                        case .remove(let key): rows[key] = nil
                        }
                    }
                }
            },
            removeAll: { account in
                stack.rows.withLock { rows in rows = rows.filter { $0.key.account != account } }
            }, tombstones: tombstones)
    }
}

private final class OwnStack: Sendable {
    let rows = Mutex<[EntityKey: EntityRow]>([:])
}
