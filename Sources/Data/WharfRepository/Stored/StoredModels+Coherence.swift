internal import WharfCore
internal import WharfPrimitives

extension StoredModels {
    func coherence(_ hot: HotCache, _ changes: EntityChanges) -> Coherence<ModelKey<Model.ID>, Model> {
        Coherence(
            store: [changes], pending: pending.changes,
            touched: { changed, _ in
                var touched: [ModelKey<Model.ID>: StoreVersion] = [:]
                for (key, version) in changed { touched[.stored(UTF8Key(key.id), nil)] = version }
                return touched
            },
            look: { [self] id in
                await look(EntityKey(account: account, kind: kind.name, id: id.text)).answer
            },
            looks: { [self] ids in
                await look(ids.map { EntityKey(account: account, kind: kind.name, id: $0.text) }).map(\.answer)
            },
            hot: (hot, { $0.utf8 })
        )
    }

    func listCoherence() -> Coherence<EntityQuery<Model>, [Model]> {
        coherence(pending.listChanges, members: { $0 }, key: listKey) { [self] query in
            remote == nil ? await queried(query) : await lookList(query).answer
        }
    }

    /// Returns the coherence of queries over the store. Any change may touch each query.
    func queryCoherence() -> Coherence<EntityQuery<Model>, [Model]> {
        Coherence(
            // A sync that brings no changes still makes the answers younger (their `asOf`).
            store: [
                store.changes(of: account, kind: kind.name), store.changes(of: account, kind: kind.syncKind),
            ],
            pending: pending.queryChanges,
            touched: { changed, cache in
                let newest = changed.values.max() ?? .none
                return Dictionary(uniqueKeysWithValues: cache.keys.map { ($0.key, newest) })
            },
            look: { [self] query in await queried(query) })
    }

    func pageCoherence() -> Coherence<PageQuery<Model>, Page<Model>> {
        coherence(pending.pageChanges, members: \.items, key: pageKey) { [self] question in
            remote == nil ? await queriedPage(question) : await lookPage(question).answer
        }
    }

    /// - Parameter shown: tells of changes to the pending changes. It belongs to one cache.
    private func coherence<Key: Hashable, Value>(
        _ shown: EntityChanges, members: @escaping @Sendable (Value) -> [Model],
        key: @escaping @Sendable (Key) -> EntityKey,
        look: @escaping @Sendable (Key) async -> Answer<Value>
    ) -> Coherence<Key, Value> {
        let lists = ListRow.kind(of: kind.name)
        return Coherence(
            store: [store.changes(of: account, kind: kind.name), store.changes(of: account, kind: lists)],
            pending: shown,
            touched: { [self] changed, cache in
                var touched: [Key: StoreVersion] = [:]
                let newest = changed.values.max() ?? .none
                for (question, kept) in cache.keys {
                    // A list that is being read may have got any entity as a member, and so may a
                    // query over the store.
                    guard let kept, remote != nil else {
                        touched[question] = newest
                        continue
                    }
                    let key = key(question)
                    var version = changed[key]
                    for member in members(kept.value) {
                        if let own = changed[kind.key(member.id, of: account)] { version = max(version ?? own, own) }
                    }
                    if let own = missing.touched(changed, key) { version = max(version ?? own, own) }
                    touched[question] = version
                }
                return touched
            },
            look: look)
    }
}
