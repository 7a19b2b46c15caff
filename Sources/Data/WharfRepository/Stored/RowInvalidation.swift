internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The models or lists that an invalidation makes stale.
enum InvalidationScope<Model: Sendable>: Sendable {
    /// The text of an id in the store.
    case id(String)
    case filter(Filter<Model>)
    case tag(String)
    case lists
    case all
}

/// Invalidation in the store: rows are made stale, with the lists that contain them.
struct RowInvalidation<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>

    private var kind: EntityKind<Model> { models.kind }

    /// Makes rows stale, and the lists that contain them. Their values stay.
    ///
    /// - Returns: the keys of the rows that are stale now, lists included.
    func invalidate(_ what: InvalidationScope<Model>) async throws(StoreError) -> Set<EntityKey> {
        // Shielded: if the caller is cancelled, the rows must not stay fresh.
        try await models.queue.shielded { [self] () throws(StoreError) in try await makeStale(what) }
    }

    /// Returns whether an invalidation covers a model. The id decides alone if it is enough.
    func covers(_ what: InvalidationScope<Model>, _ id: String, _ model: Model?) -> Bool {
        switch what {
        case .id(let invalid): UTF8Key(id) == UTF8Key(invalid)
        case .filter(let filter): model.map { filter.condition.matches(kind.fields($0)) } ?? false
        case .tag(let tag): model.map { kind.tags($0).contains(tag) } ?? false
        case .lists: false
        case .all: true
        }
    }

    private func makeStale(_ what: InvalidationScope<Model>) async throws(StoreError) -> Set<EntityKey> {
        if models.queue.isEnded { throw .ended }
        let found = try await states(what)
        let ids = Set(found.compactMap { $0.row.map { UTF8Key($0.key.id) } })
        // Noted before the rows are changed. An answer that is committed in between is then made
        // stale as it is prepared.
        models.requests.invalidate { [self] row in
            guard row.key.kind == kind.name else { return coversList(what, row, ids) }
            return ids.contains(UTF8Key(row.key.id)) || covers(what, row)
        }
        let covered = found + (try await models.listRows()).filter { $0.row.map { coversList(what, $0, ids) } ?? false }
        try await makeStale(covered)
        return Set(covered.compactMap(\.row?.key))
    }

    private func makeStale(_ covered: [EntityState]) async throws(StoreError) {
        var states = Dictionary(covered.compactMap { state in state.row.map { ($0.key, state) } }) { $1 }
        while true {
            let stale = states.compactMapValues(staleRow)
            if stale.isEmpty { return }
            let expected = states.filter { stale[$0.key] != nil }.mapValues(\.version)
            // A row that was put meanwhile is stale as well: its request may have begun before the
            // invalidation.
            let outcome = try await models.store.commit(stale.values.map(EntityChange.put), expecting: expected)
            guard case .refused(let current) = outcome else { return }
            states.merge(current) { $1 }
        }
    }

    /// Returns a row made stale; nil if it is stale already, or removed.
    private func staleRow(_ state: EntityState) -> EntityRow? {
        guard var row = state.row, row.staleAt != .distantPast else { return nil }
        row.staleAt = .distantPast
        // Keeps the basis that the row has now. Otherwise a delivered row would get the version of
        // this commit as its basis, and would seem newer than answers requested in between.
        row.basis = row.basis(at: state.version)
        return row
    }

    private func states(_ what: InvalidationScope<Model>) async throws(StoreError) -> [EntityState] {
        switch what {
        case .id(let id): return [try await models.store.state(of: models.coding.key(id))]
        case .filter(let filter):
            return try await models.rows(RowQuery(filter.condition)).states
        case .tag, .all:
            return try await models.rows().states.filter { $0.row.map { covers(what, $0) } ?? false }
        case .lists: return []
        }
    }

    private func covers(_ what: InvalidationScope<Model>, _ row: EntityRow) -> Bool {
        switch what {
        case .filter(let filter): filter.condition.matches(row.fields)
        case .tag: covers(what, row.key.id, models.coding.decoded(row)?.value)
        default: covers(what, row.key.id, nil)
        }
    }

    /// Returns whether an invalidation covers a list. A list that can't be read is covered.
    private func coversList(_ what: InvalidationScope<Model>, _ row: EntityRow, _ members: Set<UTF8Key>) -> Bool {
        switch what {
        case .lists, .all: true
        case .id(let id): ListRow.ids(row).map { $0.contains { UTF8Key($0) == UTF8Key(id) } } ?? true
        default: ListRow.ids(row).map { $0.contains { members.contains(UTF8Key($0)) } } ?? true
        }
    }
}
