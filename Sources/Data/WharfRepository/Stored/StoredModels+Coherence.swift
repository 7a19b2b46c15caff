internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension StoredModels {
    func coherence(_ hot: HotCache, _ changes: EntityFeed) -> Coherence<ModelKey<Model.ID>, Model> {
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
            timer: timer,
            looks: { [self] ids in
                await look(ids.map { EntityKey(account: account, kind: kind.name, id: $0.text) }).map(\.answer)
            },
            hot: (hot, { $0.utf8 })
        )
    }
}
