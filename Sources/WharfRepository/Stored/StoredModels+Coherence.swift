internal import WharfCore

/// An id with its text in the store, by which alone it is told apart.
struct StoredID<ID: Sendable>: Hashable, Sendable {
    let stored: StoredText
    /// nil in a key that is only looked up by.
    let value: ID?

    init(text: String, value: ID?) {
        self.stored = StoredText(text: text)
        self.value = value
    }

    var text: String { stored.text }

    static func == (a: Self, b: Self) -> Bool { a.stored == b.stored }

    func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

extension StoredModels {
    func id(_ id: Model.ID) -> StoredID<Model.ID> { StoredID(text: kind.text(id), value: id) }

    func coherence(_ hot: HotShelf, _ changes: EntityChanges) -> Coherence<StoredID<Model.ID>, Model> {
        Coherence(
            subscriptions: [changes, pending.changes],
            touched: { changed, _ in changed.map { StoredID(text: $0.id, value: nil) } },
            reread: { [self] id in
                await look(EntityKey(account: account, kind: kind.name, id: id.text)).answered
            },
            hot: (hot, { $0.stored })
        )
    }

    func listCoherence() -> Coherence<EntityQuery<Model>, [Model]> {
        let lists = ListRow.kind(of: kind.name)
        let subscriptions = [
            store.changes(of: account, kind: kind.name), store.changes(of: account, kind: lists), pending.listChanges,
        ]
        return Coherence(subscriptions: subscriptions) { [self] changed, shelf in
            shelf.keys.compactMap { query, kept in
                // Of what is being read, or is a query over the store, any entity may have become a member.
                guard let kept, remote != nil else { return query }
                let isMember = kept.value.contains { changed.contains(kind.key($0.id, of: account)) }
                let key = listKey(query)
                return isMember || changed.contains(key) || missing.touches(changed, key) ? query : nil
            }
        } reread: { [self] query in
            remote == nil ? await queried(query) : await lookList(query).answered
        }
    }
}
