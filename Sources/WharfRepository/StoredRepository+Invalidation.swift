public import WharfCore

// What is known to be out of date before its time: a write elsewhere, a notification. It stays and is shown until something newer
// comes; what is observed by a policy that asks the network is asked for at once.
//
// Each of these throws what the store throws.
extension StoredRepository {
    public func invalidate(id: Model.ID) async throws(StoreError) {
        let row = try await stored.store.row(stored.kind.key(id, of: stored.account))
        try await invalidate(row.map { [$0] } ?? [])
    }

    /// Those that match, and the lists that have them.
    ///
    /// - Complexity: a query over the declared indexes.
    public func invalidate(where filter: Filter<Model>) async throws(StoreError) {
        try await invalidate(
            try await stored.store.rows(RowQuery(filter.condition), of: stored.account, kind: stored.kind.name))
    }

    /// Those whose ``WharfCore/EntityKind/tags`` have this one, and the lists that have them.
    ///
    /// - Complexity: every model of the kind is decoded.
    public func invalidate(tag: String) async throws(StoreError) {
        let rows = try await stored.store.rows(RowQuery(), of: stored.account, kind: stored.kind.name)
        try await invalidate(
            rows.filter { row in stored.decoded(row).map { stored.kind.tags($0.value).contains(tag) } ?? false })
    }

    /// All lists, and none of the models: when something was added that no list has yet.
    public func invalidateLists() async throws(StoreError) {
        let lists = try await stored.allLists()
        await refresh(await stored.invalidateOnly(lists))
    }

    /// Everything of this kind.
    public func invalidateAll() async throws(StoreError) {
        let rows = try await stored.store.rows(RowQuery(), of: stored.account, kind: stored.kind.name)
        let lists = try await stored.allLists()
        await refresh(await stored.invalidateOnly(rows + lists))
    }

    private func invalidate(_ rows: [EntityRow]) async throws(StoreError) {
        await refresh(try await stored.invalidate(rows))
    }

    private func refresh(_ keys: Set<EntityKey>) async {
        guard !keys.isEmpty else { return }
        await models.refreshObserved { [stored] id, _, _ in
            keys.contains(EntityKey(account: stored.account, kind: stored.kind.name, id: id.text))
        }
        await lists.refreshObserved { [stored] query, _, _ in keys.contains(stored.listKey(query)) }
    }
}

extension StoredRepository {
    /// Reads models before anybody asks for them. What is fresh is left alone; failures are no news to anybody.
    public func prefetch(_ ids: some Sequence<Model.ID> & Sendable, atOnce width: Int = 4) async {
        await withTaskGroup { group in
            var waiting = ids.makeIterator()
            for _ in 0..<max(1, width) {
                if let id = waiting.next() { group.addTask { _ = await self.snapshot(id: id, policy: .standard) } }
            }
            while await group.next() != nil {
                if let id = waiting.next() { group.addTask { _ = await self.snapshot(id: id, policy: .standard) } }
            }
        }
    }
}
