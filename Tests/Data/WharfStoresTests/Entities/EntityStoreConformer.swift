import Synchronization
import WharfCore
import WharfCoreLaws
import WharfFakes
import WharfStorage
import WharfStores

/// Every entity store that runs on this platform.
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
                return Reopening(store.values)
            }, tombstones: 80
        ) {
            Reopening(try await make())
        }
    }
}

/// A store over another one that outlives it.
private struct Reopening: ForwardingEntityStore {
    let values: any KeyValueStore
    let base: KeyValueEntityStore

    init(_ values: any KeyValueStore) {
        self.values = values
        base = KeyValueEntityStore(values, tombstones: 40)
    }
}

extension ClosureEntityStore {
    /// A store as an app would write it over a dictionary.
    static func dictionary(
        reporter: EntityChangeReporter = EntityChangeReporter(), tombstones: Int = 10_000
    ) -> ClosureEntityStore {
        let stack = OwnStack()
        return ClosureEntityStore(
            reporter: reporter,
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
