internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// Queries over the stored models. The service is not asked.
struct StoredQueries<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>
    let sync: ModelSync<Model>

    private struct QueryMatch {
        let kept: Snapshot<Model>.Kept
        let key: EntityKey
        let fields: [String: FieldValue]
    }

    /// Returns the store's own answer to a query, with the pending changes over it.
    ///
    /// Its `asOf` is that of its oldest row, or the time of the last sync if that is later.
    func list(_ query: EntityQuery<Model>) async -> MarkedAnswer<[Model]> {
        guard var rows = query.rows.storeQuery else {
            return MarkedAnswer(Snapshot(kept: nil, error: .onlyAtTheService(query.rows)))
        }
        do throws(StoreError) {
            try await models.journal?.restore()
            // Read before the rows, as for one model (``StoredModels/look(_:)``).
            let changes = models.pending.current
            let changed = changes.shownIDs
            // A change may take a row out of the answer. With a row more for each change, the
            // answer is still full.
            let limit = rows.limit
            rows.limit = limit.map { $0 > Int.max - changed.count ? .max : $0 + changed.count }
            // Before the rows: a sync that ends in between makes the answer too old, and never too
            // young.
            let synced = try await sync.last()
            let list = try await models.rows(rows)
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
            return MarkedAnswer(
                Snapshot(
                    kept: kept.revised(.list(synced?.version, members: members))
                        .pending(found.contains(where: \.kept.isPending))),
                mark: ReadMark(store: list.version, pending: changes.number))
        } catch {
            return MarkedAnswer(Snapshot(kept: nil, error: models.coding.failed(error, "query \(models.kind.name)")))
        }
    }

    /// Returns the `asOf` of an answer.
    ///
    /// A sync vouches for all models: each has come with it, or has not changed.
    private func asOf(_ times: [WallTime], _ syncedAt: WallTime?) -> WallTime {
        guard let oldest = times.min() else { return syncedAt ?? models.clock.now() }
        return max(oldest, syncedAt ?? oldest)
    }

    /// Returns the changed models that the store's answer lacks.
    ///
    /// A change may put them into the answer.
    private func others(
        _ ids: Set<UTF8Key>, _ changes: PendingChanges<Model>.State
    ) async throws(StoreError) -> [QueryMatch] {
        let keys = ids.map { models.coding.key($0.text) }
        let states = try await models.store.states(of: keys)
        return keys.compactMap { key in
            states[key].flatMap { found($0, key, changes.shown(key.id), over: [:]) }
        }
    }

    /// - Parameter fields: the fields of the row, which hold for a model without changes.
    private func found(
        _ state: EntityState, _ key: EntityKey, _ changes: ShownChanges, over fields: [String: FieldValue]
    ) -> QueryMatch? {
        models.coding.shown(state, key, over: changes).map { kept in
            QueryMatch(kept: kept, key: key, fields: changes.isEmpty ? fields : models.kind.fields(kept.value))
        }
    }

    /// Returns a page that the store answers by itself.
    ///
    /// It begins behind the last row of the page before, so a later page costs no more than an
    /// earlier one.
    func page(_ question: PageQuery<Model>) async -> MarkedAnswer<Page<Model>> {
        guard var query = question.query.rows.storeQuery else {
            return MarkedAnswer(Snapshot(kept: nil, error: .onlyAtTheService(question.query.rows)))
        }
        switch question.token {
        case nil: break
        case .after(let cursor): query.after = cursor
        case let token?:
            return MarkedAnswer(
                Snapshot(kept: nil, error: .foreignToken(token, expected: "a place in the order of the query")))
        }
        // One row more tells whether there is a next page.
        query.limit = question.size + 1
        do throws(StoreError) {
            // Read before the rows, so that the mark never claims a change that the rows lack.
            let number = models.pending.read(\.number)
            let found = try await models.rows(query)
            let states = Array(found.states.prefix(question.size))
            let hasMore = found.states.count > states.count
            let next = hasMore ? states.last?.row.map { query.cursor(id: $0.key.id, $0.fields) } : nil
            let kept = Snapshot<Page<Model>>.Kept(
                value: Page(
                    states.compactMap { $0.row.flatMap(models.coding.decoded)?.value },
                    next: next.map(PageToken.after)),
                source: .store,
                asOf: states.compactMap(\.row?.asOf).min() ?? models.clock.now())
            // A page with a next page differs from one without. So the first row of the next page
            // counts as a member of the revision.
            let members = found.states.compactMap { state in
                state.row.map { Revision.Member($0.key, .row(state.version, changes: 0)) }
            }
            return MarkedAnswer(
                Snapshot(kept: kept.revised(.list(nil, members: members))),
                mark: ReadMark(store: found.version, pending: number))
        } catch {
            return MarkedAnswer(Snapshot(kept: nil, error: models.coding.failed(error, "query \(models.kind.name)")))
        }
    }
}

extension StoredQueries {
    /// Returns the coherence of queries over the store. Any change may touch each query.
    ///
    /// - Parameter timer: the clock of the pauses before a failed look is repeated.
    func coherence(_ timer: any Clock<Duration>) -> Coherence<EntityQuery<Model>, [Model]> {
        Coherence(
            // A sync that brings no changes still makes the answers younger (their `asOf`).
            store: [
                models.store.changes(of: models.account, kind: models.kind.name, since: nil),
                models.store.changes(of: models.account, kind: models.kind.syncKind, since: nil),
            ],
            pending: models.pending.queryChanges,
            touched: { changed, cache in
                let newest = changed.values.max() ?? .none
                return Dictionary(uniqueKeysWithValues: cache.keys.map { ($0.key, newest) })
            },
            look: { [self] query in await list(query) },
            timer: timer)
    }
}
