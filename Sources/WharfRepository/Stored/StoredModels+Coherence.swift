internal import WharfCore
internal import WharfPrimitives

/// An id with its text in the store, by which alone it is told apart.
struct StoredID<ID: Sendable>: Hashable, Sendable {
    let stored: UTF8Key
    /// nil in a key that is only looked up by.
    let value: ID?

    init(text: String, value: ID?) {
        self.stored = UTF8Key(text)
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
        coherence(pending.listChanges, members: { $0 }, key: listKey) { [self] query in
            remote == nil ? await queried(query) : await lookList(query).answered
        }
    }

    func pageCoherence() -> Coherence<PageQuery<Model>, Page<Model>> {
        coherence(pending.pageChanges, members: \.items, key: pageKey) { [self] question in
            remote == nil ? await queriedPage(question) : await lookPage(question).answered
        }
    }

    /// - Parameter shown: of what is on its way; nobody else may follow it.
    private func coherence<Key: Hashable, Value>(
        _ shown: EntityChanges, members: @escaping @Sendable (Value) -> [Model],
        key: @escaping @Sendable (Key) -> EntityKey,
        reread: @escaping @Sendable (Key) async -> Snapshot<Value>
    ) -> Coherence<Key, Value> {
        let lists = ListRow.kind(of: kind.name)
        let subscriptions = [
            store.changes(of: account, kind: kind.name), store.changes(of: account, kind: lists), shown,
        ]
        return Coherence(
            subscriptions: subscriptions,
            touched: { [self] changed, shelf in
                shelf.keys.compactMap { question, kept in
                    // Of what is being read, or is a query over the store, any entity may have become a member.
                    guard let kept, remote != nil else { return question }
                    let isMember = members(kept.value).contains { changed.contains(kind.key($0.id, of: account)) }
                    let key = key(question)
                    return isMember || changed.contains(key) || missing.touches(changed, key) ? question : nil
                }
            },
            reread: reread)
    }
}
