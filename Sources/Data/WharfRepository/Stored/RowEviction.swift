internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The entities, lists and pages that are observed.
struct ObservedEntities<Model: Sendable>: Sendable {
    /// Texts of ids.
    let ids: Set<UTF8Key>
    let lists: [(query: EntityQuery<Model>, members: [Model])]
    let pages: [(pages: [PageQuery<Model>], items: [Model])]

    init(
        _ ids: [String], lists: [(key: EntityQuery<Model>, kept: Snapshot<[Model]>.Kept?)],
        pages: [(pages: [PageQuery<Model>], items: [Model])]
    ) {
        self.ids = Set(ids.map(UTF8Key.init))
        self.lists = lists.map { ($0.key, $0.kept?.value ?? []) }
        self.pages = pages
    }
}

/// Removes rows until the store is within limits.
struct RowEviction<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>
    /// nil if changes go straight to the service.
    let setAside: SetAsideChanges<Model>?
    /// Whether the store is the only source.
    let isLocal: Bool

    /// - Parameter observed: gives the observed entities. It is called after the rows were read, so
    ///   that it misses as few new observers as possible.
    func evict(
        _ limits: EvictionLimits, isPending: @escaping @Sendable (EntityKey) -> Bool,
        observed: @escaping @Sendable () -> ObservedEntities<Model>
    ) async throws(StoreError) -> EvictionResult {
        // In a turn, so that no change of this process begins on a row between its look and its
        // removal.
        try await models.queue.turn { [self] () throws(StoreError) in
            while true {
                if let evicted = try await evictInTurn(limits, isPending, observed) { return evicted }
            }
        }
    }

    /// - Returns: nil if one of the rows has changed since it was read. Nothing was evicted then.
    private func evictInTurn(
        _ limits: EvictionLimits, _ isPending: (EntityKey) -> Bool, _ observed: () -> ObservedEntities<Model>
    ) async throws(StoreError) -> EvictionResult? {
        if models.queue.isEnded { throw .ended }
        try await models.journal?.restore()
        let states = try await models.rows().states
        let lists = try await models.listRows()
        let rows = states.compactMap(\.row)
        var eviction = Eviction(models: rows, lists: lists.compactMap(\.row))
        // A conflict waits for a person, whose decision is sent with the entity tag of the row.
        for (_, change) in try await setAside?.letters() ?? [] { eviction.protect(change.id) }
        protect(observed(), rows, in: &eviction)
        for row in rows where isPending(row.key) || !models.pending.open(row.key.id).isEmpty {
            eviction.protect(row.key.id)
        }
        let evicted = eviction.evict(limits, at: models.clock.now())
        let keys = Set(evicted.models + evicted.lists)
        if keys.isEmpty { return evicted }
        var expected: [EntityKey: StoreVersion] = [:]
        for state in states + lists {
            if let key = state.row?.key, keys.contains(key) { expected[key] = state.version }
        }
        // Compare-and-set on each row: a row that was put since the look is not removed, and the
        // plan is made again.
        let outcome = try await models.store.commit(keys.map(EntityChange.remove), expecting: expected)
        if case .refused = outcome { return nil }
        return evicted
    }

    private func protect(_ observed: ObservedEntities<Model>, _ rows: [EntityRow], in eviction: inout Eviction) {
        let (kind, account) = (models.kind, models.account)
        for id in observed.ids { eviction.protect(id.text) }
        for list in observed.pages {
            for page in list.pages { eviction.protect(list: kind.pageKey(page, of: account)) }
            for item in list.items { eviction.protect(kind.text(item.id)) }
        }
        for list in observed.lists {
            eviction.protect(list: kind.listKey(list.query, of: account))
            for member in list.members { eviction.protect(kind.text(member.id)) }
            // Without a remote source, the list is the query's answer over the rows as they are
            // now. The observed value may be older than that.
            guard isLocal, let query = list.query.rows.storeQuery else { continue }
            for row in query.answer(rows, id: { $0.key.id }, fields: { $0.fields }) {
                eviction.protect(row.key.id)
            }
        }
    }
}
