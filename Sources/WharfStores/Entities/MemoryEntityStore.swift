internal import Synchronization
public import WharfCore

/// Keeps entities as long as it is there itself: for tests, previews, and data that must not lie on a disk.
public final class MemoryEntityStore: EntityStore {
    private struct State {
        var table = EntityTable()
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
            (keys.compactMap { state.table[$0] }, state.isClosed)
        }
        if isClosed { throw StoreError.closedInMemory }
        return Dictionary(rows.map { ($0.key, $0) }) { first, _ in first }
    }

    /// - Complexity: one look at each entity of the kind, and a sort of those that match.
    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        query.answer(try rows(of: account, kind).values, id: { $0.key.id }, fields: { $0.fields })
    }

    public func commit(_ changes: [EntityChange]) async throws(StoreError) {
        try write { $0.apply(changes) }
        subscriptions.tell(changes.lazy.map(\.key))
    }

    public func removeAll(of account: Account?) async throws(StoreError) {
        try write { $0.removeAll(of: account) }
        subscriptions.tellAll { $0 == account }
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        subscriptions.subscribe(to: account, kind: kind)
    }

    private func rows(of account: Account?, _ kind: String) throws(StoreError) -> [EntityKey: EntityRow] {
        let (rows, isClosed) = state.withLock { ($0.table.rows(of: account, kind), $0.isClosed) }
        if isClosed { throw StoreError.closedInMemory }
        return rows
    }

    private func write(_ body: (inout EntityTable) -> Void) throws(StoreError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { body(&state.table) }
            return state.isClosed
        }
        if isClosed { throw StoreError.closedInMemory }
    }
}

extension StoreError {
    static var closedInMemory: StoreError {
        StoreError(.closed, message: "the store was closed; make another one")
    }
}
