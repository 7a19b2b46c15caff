public import WharfCore

/// Invalidation: a notification or a write elsewhere tells that values are out of date.
///
/// A value that was made stale is still shown until a newer one comes. Observed values are
/// refreshed at once, if their policy asks the network. Each call throws the error of the store.
///
/// Without a store only values in memory are made stale, and as long as they are there. The
/// source's own cache does not hear of it: a value that is in that cache alone is still taken for
/// fresh.
extension Repository {
    /// Makes one model stale.
    public func invalidate(id: Model.ID) async throws(StoreError) {
        try await invalidate(.id(text(id)))
    }

    /// Makes the models that match a filter stale, and the lists that have them.
    ///
    /// Without a store, all models and lists.
    ///
    /// - Complexity: a query over the declared indexes.
    public func invalidate(where filter: Filter<Model>) async throws(StoreError) {
        try await invalidate(.filter(filter))
    }

    /// Makes the models with a tag stale, and the lists that have them.
    ///
    /// The tags are those of the kind (``WharfCore/EntityKind/tags``). Without a store, all models
    /// and lists.
    ///
    /// - Complexity: every model of the kind is decoded.
    public func invalidate(tag: String) async throws(StoreError) {
        try await invalidate(.tag(tag))
    }

    /// Makes all lists stale, and none of the models.
    ///
    /// Use it after an addition that no list has yet.
    public func invalidateLists() async throws(StoreError) {
        try await invalidate(.lists)
    }

    /// Makes all models and lists of this kind stale.
    public func invalidateAll() async throws(StoreError) {
        try await invalidate(.all)
    }

    private func invalidate(_ what: InvalidationScope<Model>) async throws(StoreError) {
        let invalid =
            // The store first. A read that comes between finds a stale row, and asks the network
            // again.
            if let invalidation = stored?.invalidation {
                invalidation.invalid(what, try await invalidation.invalidate(what))
            } else {
                InvalidModels(what, text)
            }
        // The store's invalidation does not reach values that lie in no store.
        models.makeStale { invalid.model($0.text, $1.value) }
        lists.makeStale { invalid.list($0, $1.value) }
        await models.refreshObserved { id, kept, _ in invalid.model(id.text, kept?.value) }
        await lists.refreshObserved { query, kept, _ in invalid.list(query, kept?.value) }
        await pagedLists.refreshInvalid(invalid.page)
    }
}

/// The values that an invalidation covers.
struct InvalidModels<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    /// Takes the text of a model's id, and the model if it is known.
    let model: @Sendable (String, Model?) -> Bool
    let list: @Sendable (EntityQuery<Model>, [Model]?) -> Bool
    let page: @Sendable (PageQuery<Model>, [Model]) -> Bool
}

extension InvalidModels {
    /// Makes the cover of an invalidation without a store.
    ///
    /// Only a kind tells which models match a filter or a tag, so all of them are invalid.
    fileprivate init(_ what: InvalidationScope<Model>, _ text: @escaping @Sendable (Model.ID) -> String) {
        let hasMember: @Sendable ([Model]?) -> Bool
        switch what {
        case .id(let id):
            model = { text, _ in text == id }
            hasMember = { $0?.contains { text($0.id) == id } ?? true }
        case .lists:
            model = { _, _ in false }
            hasMember = { _ in true }
        case .all, .filter, .tag:
            model = { _, _ in true }
            hasMember = { _ in true }
        }
        list = { _, members in hasMember(members) }
        page = { _, items in hasMember(items) }
    }
}

extension RowInvalidation {
    /// Returns the cover of an invalidation.
    ///
    /// - Parameter keys: the rows that were made stale.
    fileprivate func invalid(_ what: InvalidationScope<Model>, _ keys: Set<EntityKey>) -> InvalidModels<Model> {
        let coding = models.coding
        let kind = coding.kind
        let isInvalidList: @Sendable (EntityKey, [Model]?) -> Bool = { key, members in
            switch what {
            case .lists, .all: true
            default: keys.contains(key) || members?.contains { covers(what, kind.text($0.id), $0) } == true
            }
        }
        return InvalidModels { id, model in
            keys.contains(coding.key(id)) || covers(what, id, model)
        } list: { query, members in
            isInvalidList(kind.listKey(query, of: coding.account), members)
        } page: { question, items in
            isInvalidList(kind.pageKey(question, of: coding.account), items)
        }
    }
}

extension Repository {
    /// Reads models before they are needed.
    ///
    /// Fresh models are left alone. A failure is told to the model's observers only.
    ///
    /// - Parameter width: the number of requests that are under way at a time.
    public func prefetch(_ ids: some Sequence<Model.ID> & Sendable, atOnce width: Int = 4) async {
        await withTaskGroup { group in
            var waiting = ids.makeIterator()
            for _ in 0..<max(1, width) {
                if let id = waiting.next() { group.addTask { _ = await self.snapshot(id: id, policy: .standard) } }
            }
            // One new request for each that ends, so at most `width` are under way.
            while await group.next() != nil {
                if let id = waiting.next() { group.addTask { _ = await self.snapshot(id: id, policy: .standard) } }
            }
        }
    }
}
