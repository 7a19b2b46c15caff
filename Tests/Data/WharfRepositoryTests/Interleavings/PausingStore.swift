import WharfCore
import WharfFakes
import WharfStorage
import WharfStores

/// A store in memory whose calls suspend first, as those of a file do.
struct PausingStore: ForwardingEntityStore {
    let base = MemoryEntityStore()
    private let pause: @Sendable () async -> Void

    init(pause: @escaping @Sendable () async -> Void) { self.pause = pause }

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        await pause()
        try checkCancellation()
        let row = try await base.row(key)
        await pause()
        return row
    }

    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        await pause()
        try checkCancellation()
        let rows = try await base.rows(keys)
        await pause()
        return rows
    }

    func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        await pause()
        try checkCancellation()
        let rows = try await base.rows(query, of: account, kind: kind)
        await pause()
        return rows
    }

    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        await pause()
        try checkCancellation()
        let found = try await base.states(of: keys)
        await pause()
        return found
    }
    func states(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> EntityList {
        await pause()
        try checkCancellation()
        let found = try await base.states(query, of: account, kind: kind)
        await pause()
        return found
    }
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        await pause()
        let outcome = try await base.commit(changes, expecting: expected)
        await pause()
        return outcome
    }

    /// A database does not read for a cancelled task.
    private func checkCancellation() throws(StoreError) {
        if Task.isCancelled { throw StoreError(.cancelled, message: "the reader has left") }
    }
}
