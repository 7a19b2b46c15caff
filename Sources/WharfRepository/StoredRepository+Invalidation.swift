public import WharfCore

// What is known to be out of date before its time: a write elsewhere, a notification. It stays and is shown until something newer
// comes; what is observed by a policy that asks the network is asked for at once.
//
// Each of these throws what the store throws.
extension StoredRepository {
    public func invalidate(id: Model.ID) async throws(StoreError) {
        try await invalidate(.id(text(id)))
    }

    /// Those that match, and the lists that have them.
    ///
    /// - Complexity: a query over the declared indexes.
    public func invalidate(where filter: Filter<Model>) async throws(StoreError) {
        try await invalidate(.filter(filter))
    }

    /// Those whose ``WharfCore/EntityKind/tags`` have this one, and the lists that have them.
    ///
    /// - Complexity: every model of the kind is decoded.
    public func invalidate(tag: String) async throws(StoreError) {
        try await invalidate(.tag(tag))
    }

    /// All lists, and none of the models: when something was added that no list has yet.
    public func invalidateLists() async throws(StoreError) {
        try await invalidate(.lists)
    }

    /// Everything of this kind.
    public func invalidateAll() async throws(StoreError) {
        try await invalidate(.all)
    }

    private func invalidate(_ what: Invalidation<Model>) async throws(StoreError) {
        let keys = try await stored.invalidate(what)
        let isInvalid: (String, Model?) -> Bool = { [stored] id, model in
            keys.contains(EntityKey(account: stored.account, kind: stored.kind.name, id: id))
                || stored.covers(what, id, model)
        }
        let isInvalidList: @Sendable (EntityKey, [Model]?) -> Bool = { [stored] key, members in
            switch what {
            case .lists, .all: true
            default:
                keys.contains(key) || members?.contains { stored.covers(what, stored.kind.text($0.id), $0) } == true
            }
        }
        // What is in no store is stale nowhere else.
        models.makeStale { isInvalid($0.text, $1.value) }
        lists.makeStale { isInvalidList(stored.listKey($0), $1.value) }
        await models.refreshObserved { id, kept, _ in isInvalid(id.text, kept?.value) }
        await lists.refreshObserved { query, kept, _ in isInvalidList(stored.listKey(query), kept?.value) }
        await pagedLists.refreshInvalid { [stored] in isInvalidList(stored.pageKey($0), $1) }
    }
}

extension StoredRepository {
    /// Reads models before anybody asks for them. What is fresh is left alone. A failure is told to those who observe the model, and to
    /// nobody else.
    ///
    /// - Parameter width: how many are asked for at the same time.
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
