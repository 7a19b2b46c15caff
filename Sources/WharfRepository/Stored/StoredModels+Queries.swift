internal import WharfCore
internal import WharfPrimitives

/// Queries over what is stored. The service is not asked.
extension StoredModels {
    private struct Found {
        let kept: Snapshot<Model>.Kept
        let key: EntityKey
        let fields: [String: FieldValue]
    }

    /// The store's own answer to a query, with the pending changes over it.
    ///
    /// It is as of its oldest row, or of the last sync if that is later.
    func queried(_ query: EntityQuery<Model>) async -> Answer<[Model]> {
        guard var rows = query.rows.storeQuery else {
            return Answer(Snapshot(kept: nil, error: .onlyAtTheService(query.rows)))
        }
        do throws(StoreError) {
            try await restoreWaiting()
            // Before the rows, as for one model.
            let changes = pending.current
            let changed = changes.shownIDs
            // A change may take a row out of the answer.
            let limit = rows.limit
            rows.limit = limit.map { $0 > Int.max - changed.count ? .max : $0 + changed.count }
            let synced = try await ModelSync(models: self).last()
            let list = try await store.states(rows, of: account, kind: kind.name)
            rows.limit = limit
            var found = list.states.compactMap { state in
                state.row.flatMap { self.found(state, $0.key, changes.shown($0.key.id), over: $0.fields) }
            }
            if !changed.isEmpty {
                let known = Set(list.states.compactMap { $0.row.map { UTF8Key($0.key.id) } })
                found += try await others(changed.subtracting(known), changes)
                found = rows.answer(found, id: { $0.key.id }, fields: { $0.fields })
            }
            let kept = Snapshot<[Model]>.Kept(
                value: found.map(\.kept.value), source: .store,
                asOf: asOf(found.map(\.kept.asOf), synced?.at))
            let members = found.map { Revision.Member($0.key, $0.kept.revision) }
            return Answer(
                Snapshot(
                    kept: kept.revised(.list(synced?.version, members: members))
                        .pending(found.contains(where: \.kept.isPending))),
                mark: ReadMark(store: list.version, pending: changes.number))
        } catch {
            return Answer(Snapshot(kept: nil, error: failed(error, "query \(kind.name)")))
        }
    }

    /// A sync vouches for all models: they have come with it, or have not changed.
    private func asOf(_ times: [WallTime], _ syncedAt: WallTime?) -> WallTime {
        guard let oldest = times.min() else { return syncedAt ?? clock.now() }
        return max(oldest, syncedAt ?? oldest)
    }

    /// The changed models that the store's answer lacks: a change may put them into it.
    private func others(
        _ ids: Set<UTF8Key>, _ changes: PendingChanges<Model>.State
    ) async throws(StoreError) -> [Found] {
        let keys = ids.map { EntityKey(account: account, kind: kind.name, id: $0.text) }
        let states = try await store.states(of: keys)
        return keys.compactMap { key in
            states[key].flatMap { found($0, key, changes.shown(key.id), over: [:]) }
        }
    }

    /// - Parameter fields: of the row. A model without changes keeps them, as its row was stored.
    private func found(
        _ state: EntityState, _ key: EntityKey, _ changes: ShownChanges, over fields: [String: FieldValue]
    ) -> Found? {
        shown(state, key, over: changes).map { kept in
            Found(kept: kept, key: key, fields: changes.isEmpty ? fields : kind.fields(kept.value))
        }
    }

    func models(_ states: some Sequence<EntityState>) -> [Model] {
        states.compactMap { $0.row.flatMap(decoded)?.value }
    }

    func member(_ state: EntityState) -> Revision.Member? {
        state.row.map { Revision.Member($0.key, .row(state.version, changes: 0)) }
    }
}
