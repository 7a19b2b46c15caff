import WharfCore
import WharfStores
import WharfTesting

/// A store that is wrong in one way, and the words of the law that must notice.
struct EntityStoreMutant: Sendable, CustomStringConvertible {
    let description: String
    let breaks: String
    var row: @Sendable (EntityRow) -> EntityRow = { $0 }
    var changes: @Sendable ([EntityChange]) -> [EntityChange] = { $0 }
    var query: @Sendable (RowQuery) -> RowQuery = { $0 }
    var key: @Sendable (EntityKey) -> EntityKey = { $0 }
    var removes: @Sendable (Account?) -> Account? = { $0 }
    var subscribes: @Sendable (MemoryEntityStore, EntityKey) -> EntityChanges = {
        $0.changes(of: $1.account, kind: $1.kind)
    }
    var commitsOneByOne = false

    var subject: EntityStoreLaws.Subject {
        .init(description) { MutatedStore(base: MemoryEntityStore(), mutant: self) }
    }

    static let all: [EntityStoreMutant] = [
        .init(
            description: "forgets the time", breaks: "a row comes back as it was put",
            row: { changed($0) { $0.asOf = WallTime(nanoseconds: 1) } }),
        .init(
            description: "forgets the fields", breaks: "a row comes back as it was put",
            row: { changed($0) { $0.fields = [:] } }),
        .init(
            description: "forgets the validator", breaks: "a row comes back as it was put",
            row: { changed($0) { $0.validator = nil } }),
        .init(description: "takes the first of two changes", breaks: "the later counts", changes: { $0.reversed() }),
        .init(
            description: "drops removals", breaks: "the later counts",
            changes: { changes in
                changes.filter { if case .remove = $0 { false } else { true } }
            }),
        .init(
            description: "knows no accounts", breaks: "keys that look alike",
            key: { EntityKey(kind: $0.kind, id: $0.id) }),
        .init(
            description: "ignores case", breaks: "keys that look alike",
            key: {
                EntityKey(account: $0.account, kind: $0.kind.lowercased(), id: $0.id)
            }),
        .init(
            description: "takes nil for an account without a name", breaks: "removing an account",
            removes: { $0 ?? Account("") }),
        .init(
            description: "ignores the condition", breaks: "a query answers",
            query: { changed($0) { $0.condition = .always } }),
        .init(description: "ignores the order", breaks: "a query answers", query: { changed($0) { $0.sort = [] } }),
        .init(description: "ignores the limit", breaks: "a query answers", query: { changed($0) { $0.limit = nil } }),
        .init(
            description: "begins at the start each time", breaks: "page by page",
            query: { changed($0) { $0.after = nil } }),
        .init(description: "commits one by one", breaks: "a commit is seen as a whole", commitsOneByOne: true),
        .init(
            description: "tells nobody", breaks: "is heard of, and what came before",
            subscribes: { _, key in MemoryEntityStore().changes(of: key.account, kind: key.kind) }),
        .init(
            description: "tells everybody of nobody's", breaks: "hears of no other",
            subscribes: { store, key in store.changes(of: nil, kind: key.kind) }),
    ]
}

private func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var copy = value
    change(&copy)
    return copy
}

private struct MutatedStore: EntityStore {
    let base: MemoryEntityStore
    let mutant: EntityStoreMutant

    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        try await base.row(mutant.key(key)).map(mutant.row)
    }

    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        let asked = keys.map { (key: $0, mutated: mutant.key($0)) }
        let rows = try await base.rows(asked.map(\.mutated))
        var found: [EntityKey: EntityRow] = [:]
        for (key, mutated) in asked { found[key] = rows[mutated].map(mutant.row) }
        return found
    }

    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow] {
        let key = mutant.key(EntityKey(account: account, kind: kind, id: ""))
        return try await base.rows(mutant.query(query), of: key.account, kind: key.kind).map(mutant.row)
    }

    func commit(_ changes: [EntityChange]) async throws(StoreError) {
        let changes = mutant.changes(changes).map { change -> EntityChange in
            switch change {
            case .put(let row): .put(changed(row) { $0.key = mutant.key($0.key) })
            case .remove(let key): .remove(mutant.key(key))
            }
        }
        guard mutant.commitsOneByOne else { return try await base.commit(changes) }
        for change in changes {
            try await base.commit([change])
            await Task.yield()
        }
    }

    func removeAll(of account: Account?) async throws(StoreError) {
        try await base.removeAll(of: mutant.removes(account))
    }

    func changes(of account: Account?, kind: String) -> EntityChanges {
        mutant.subscribes(base, mutant.key(EntityKey(account: account, kind: kind, id: "")))
    }
}
