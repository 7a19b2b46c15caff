internal import Synchronization
public import WharfCore

/// Keeps entities as long as it is there itself: for tests, previews, and data that must not lie on a disk.
public final class MemoryEntityStore: EntityStore {
    private struct State {
        /// By ``WharfCore/EntityKey/scope``.
        var rows: [EntityKey: [EntityKey: EntityRow]] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let subscriptions = EntitySubscriptions()

    public init() {}

    /// Forgets everything and ends its subscriptions. Anything after it throws ``WharfCore/StoreError/Code/closed``.
    public func close() {
        state.withLock { $0 = State(isClosed: true) }
        subscriptions.finish()
    }

    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        try rows(of: key.account, key.kind)[key]
    }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        let (rows, isClosed) = state.withLock { state in
            (keys.compactMap { state.rows[$0.scope]?[$0] }, state.isClosed)
        }
        if isClosed { throw Self.closed }
        return Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
    }

    /// - Complexity: one look at each entity of the kind, and a sort of those that match.
    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        query.answer(try rows(of: account, kind).values, id: { $0.key.id }, fields: { $0.fields })
    }

    public func commit(_ changes: [EntityChange]) async throws(StoreError) {
        try write { state in
            for change in changes {
                let scope = change.key.scope
                switch change {
                case .put(let row): state.rows[scope, default: [:]][row.key] = row
                case .remove(let key): state.rows[scope]?[key] = nil
                }
            }
        }
        subscriptions.tell(changes.lazy.map(\.key))
    }

    public func removeAll(of account: Account?) async throws(StoreError) {
        try write { state in state.rows = state.rows.filter { $0.key.account != account } }
        subscriptions.tellAll { $0 == account }
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        subscriptions.subscribe(to: account, kind: kind)
    }

    private func rows(of account: Account?, _ kind: String) throws(StoreError) -> [EntityKey: EntityRow] {
        let (rows, isClosed) = state.withLock {
            ($0.rows[EntityKey(account: account, kind: kind, id: "")] ?? [:], $0.isClosed)
        }
        if isClosed { throw Self.closed }
        return rows
    }

    private func write(_ body: (inout State) -> Void) throws(StoreError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { body(&state) }
            return state.isClosed
        }
        if isClosed { throw Self.closed }
    }

    private static var closed: StoreError {
        StoreError(.closed, message: "the store was closed; make another one")
    }
}
