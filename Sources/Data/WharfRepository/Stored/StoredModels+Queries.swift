internal import WharfCore
internal import WharfPrimitives

/// Queries over the stored models. The service is not asked.
extension StoredModels {
    private struct QueryMatch {
        let kept: Snapshot<Model>.Kept
        let key: EntityKey
        let fields: [String: FieldValue]
    }

    /// Returns the store's own answer to a query, with the pending changes over it.
    ///
    /// Its `asOf` is that of its oldest row, or the time of the last sync if that is later.
    func queried(_ query: EntityQuery<Model>) async -> Answer<[Model]> {
        guard var rows = query.rows.storeQuery else {
            return Answer(Snapshot(kept: nil, error: .onlyAtTheService(query.rows)))
        }
        do throws(StoreError) {
            try await restoreWaiting()
            // Read before the rows, as for one model (``look(_:)``).
            let changes = pending.current
            let changed = changes.shownIDs
            // A change may take a row out of the answer. With a row more for each change, the
            // answer is still full.
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

    /// Returns the `asOf` of an answer.
    ///
    /// A sync vouches for all models: each has come with it, or has not changed.
    private func asOf(_ times: [WallTime], _ syncedAt: WallTime?) -> WallTime {
        guard let oldest = times.min() else { return syncedAt ?? clock.now() }
        return max(oldest, syncedAt ?? oldest)
    }

    /// Returns the changed models that the store's answer lacks.
    ///
    /// A change may put them into the answer.
    private func others(
        _ ids: Set<UTF8Key>, _ changes: PendingChanges<Model>.State
    ) async throws(StoreError) -> [QueryMatch] {
        let keys = ids.map { EntityKey(account: account, kind: kind.name, id: $0.text) }
        let states = try await store.states(of: keys)
        return keys.compactMap { key in
            states[key].flatMap { found($0, key, changes.shown(key.id), over: [:]) }
        }
    }

    /// - Parameter fields: the fields of the row, which hold for a model without changes.
    private func found(
        _ state: EntityState, _ key: EntityKey, _ changes: ShownChanges, over fields: [String: FieldValue]
    ) -> QueryMatch? {
        shown(state, key, over: changes).map { kept in
            QueryMatch(kept: kept, key: key, fields: changes.isEmpty ? fields : kind.fields(kept.value))
        }
    }

    func models(_ states: some Sequence<EntityState>) -> [Model] {
        states.compactMap { $0.row.flatMap(decoded)?.value }
    }

    func member(_ state: EntityState) -> Revision.Member? {
        state.row.map { Revision.Member($0.key, .row(state.version, changes: 0)) }
    }
}
