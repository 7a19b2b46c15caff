import Synchronization
import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

/// A store in memory whose writes can be made to fail, and whose queries wait at a gate.
final class FaultyEntityStore: ForwardingEntityStore {
    let base = MemoryEntityStore()
    private let state = Mutex((isFull: false, isUnreadable: false, gate: Gate?.none))

    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Whether reads of single rows fail.
    var isUnreadable: Bool {
        get { state.withLock { $0.isUnreadable } }
        set { state.withLock { $0.isUnreadable = newValue } }
    }

    func wait(at gate: Gate?) { state.withLock { $0.gate = gate } }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        if isUnreadable { throw StoreError(.failed, message: "scripted: not now") }
        return try await base.row(key)
    }

    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        let rows = try await base.rows(query, of: account, kind: kind)
        await state.withLock { $0.gate }?.pass()
        return rows
    }

    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        if isUnreadable { throw StoreError(.failed, message: "scripted: not now") }
        return try await base.states(of: keys)
    }
    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        let states = try await base.states(query, of: account, kind: kind)
        await state.withLock { $0.gate }?.pass()
        return states
    }
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        if isFull { throw StoreError(.full, message: "scripted: no space") }
        return try await base.commit(changes, expecting: expected)
    }
}
