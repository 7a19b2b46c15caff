internal import WharfCore
internal import WharfPrimitives

extension StoredModels {
    func list(
        _ query: EntityQuery<Model>, _ mode: CacheMode, _ found: Look<[Model]>?, _ willCommit: @escaping WillCommit
    ) async -> Answer<[Model]> {
        guard let remote else { return await queried(query) }
        guard let list = remote.list else { return Answer(Snapshot(kept: nil, error: .noList)) }
        return await answer(listKey(query), mode, found, willCommit) {
            await lookList(query)
        } ask: { mode in
            await list(query, mode)
        } keep: { kept, request in
            await keepMembers(kept, kept.value, request) { ids in
                (listKey(query), ListRow.schema, ListRow.bytes(ids))
            } look: {
                await lookList(query)
            }
        }
    }

    /// Looks at a list in the store. A member that is gone from the store is left out.
    func lookList(_ query: EntityQuery<Model>) async -> Look<[Model]> {
        await lookMembers(listKey(query), adding: query.rows.storeQuery) { row in
            ListRow.ids(row).map { ($0, ()) }
        } made: { models, _ in
            models
        }
    }

    /// Looks at a row of a list, and at its members.
    ///
    /// - Parameters:
    ///   - query: decides where added models stand that the list may not have yet; nil if none
    ///     belongs in it.
    ///   - read: gives the ids of the members and the rest of the row; nil if the row can't be
    ///     read.
    ///   - made: makes the value from the members and the rest of the row.
    func lookMembers<Value, Rest>(
        _ key: EntityKey, adding query: RowQuery?, read: (EntityRow) -> (ids: [String], rest: Rest)?,
        made: ([Model], Rest) -> Value
    ) async -> Look<Value> {
        do throws(StoreError) {
            try await restoreWaiting()
            // Read before the rows, as for one model (``look(_:)``).
            let changes = pending.current
            var list = try await store.states(of: [key])
            while true {
                let mark = ReadMark(store: list.versions[account] ?? .none, pending: changes.number)
                guard let state = list[key] else { return Look(mark: mark) }
                guard let row = state.row, let (ids, rest) = read(row) else {
                    return Look(mark: mark, version: state.version)
                }
                let keys = ids.map { EntityKey(account: account, kind: kind.name, id: $0) }
                let added = query == nil || query?.after != nil ? [] : changes.additions(since: row.asOf)
                let others = Set(added.map { EntityKey(account: account, kind: kind.name, id: $0.text) }).subtracting(
                    keys)
                missing.set(keys, of: row.key)
                let found = try await store.states(of: [key] + keys + Array(others))
                // The row and its members have to come from one snapshot of the store. A list that
                // is mixed from two snapshots would be older in part than its mark says, and could
                // replace a newer one.
                guard found[key]?.version == state.version else {
                    list = found
                    continue
                }
                func shown(_ key: EntityKey) -> Snapshot<Model>.Kept? {
                    found[key].flatMap { self.shown($0, key, over: changes.shown(key.id)) }
                }
                let present = keys.compactMap { key in shown(key).map { (key: key, kept: $0) } }
                missing.set(Set(keys).subtracting(present.map(\.key)), of: row.key)
                var members = present.map(\.kept)
                if let query {
                    let order = added.map { EntityKey(account: account, kind: kind.name, id: $0.text) }
                    members = adding(order.filter(others.contains).compactMap(shown), to: members, query)
                }
                let hidesSome = keys.contains { changes.shown($0.id).decides }
                let kept = Snapshot<Value>.Kept(
                    value: made(members.map(\.value), rest), source: .store, asOf: row.asOf, staleAt: row.staleAt
                ).revised(.list(state.version, members: members.map { member($0.value, $0.revision) }))
                    .pending(hidesSome || members.contains(where: \.isPending))
                let moment = ReadMark(store: found.versions[account] ?? .none, pending: changes.number)
                return Look(kept: kept, mark: moment, version: state.version)
            }
        } catch {
            return Look(failure: failed(error, "read the list of \(kind.name)"))
        }
    }

    private func member(_ model: Model, _ revision: Revision?) -> Revision.Member {
        Revision.Member(kind.key(model.id, of: account), revision)
    }

    /// Commits a list and its members, and returns the list as it is shown.
    ///
    /// - Parameters:
    ///   - row: makes key, schema and bytes of the list's row from the ids of the members.
    ///   - look: looks at the list, if the store has something newer of it or changes are shown
    ///     over it.
    func keepMembers<Value>(
        _ kept: Snapshot<Value>.Kept, _ members: [Model], _ request: Request<Value>,
        row: ([String]) -> (key: EntityKey, schema: Int, bytes: [UInt8]), look: () async -> Look<Value>
    ) async -> Answer<Value> {
        let staleAt = kind.listTimeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        let kept = kept.with(kept.value, staleAt: .some(staleAt))
        guard !kept.mustNotBeStored else { return Answer(Snapshot(kept: kept)) }
        let entityStaleAt = kind.timeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        let rows: [EntityRow]
        do {
            rows = try members.map { model in
                try kind.row(
                    model, of: account, asOf: kept.asOf, staleAt: entityStaleAt, validator: kind.entityTag?(model))
            }
        } catch {
            reportUnencodable("a list of \(kind.name)", error)
            return Answer(Snapshot(kept: kept))
        }
        let (key, schema, bytes) = row(rows.map(\.key.id))
        let list = EntityRow(key: key, schema: schema, bytes: bytes, asOf: kept.asOf, staleAt: staleAt)
        let number = pending.read(\.number)
        request.willCommit()
        var answer: Answer<Value>
        do throws(StoreError) {
            answer = try await commit(kept, list, rows, request, number, look)
        } catch {
            _ = failed(error, "keep a list of \(kind.name)")
            answer = Answer(Snapshot(kept: kept))
        }
        answer.hasOpenCommit = true
        return answer
    }

    private func commit<Value>(
        _ kept: Snapshot<Value>.Kept, _ list: EntityRow, _ members: [EntityRow], _ request: Request<Value>,
        _ number: UInt64, _ look: () async -> Look<Value>
    ) async throws(StoreError) -> Answer<Value> {
        let incoming = Incoming(basis: request.basis, request: request.number, asOf: kept.asOf)
        let rows = [list] + members
        let committed = try await commit(
            rows, Dictionary(rows.map { ($0.key, incoming) }) { first, _ in first }, [:], isLooked: false)
        let isWhole = committed.accepted.count == Set(rows.map(\.key)).count
        // A later answer has overtaken some rows, or changes are pending. In both cases a look at
        // the store finds the list as it is shown.
        guard isWhole, pending.read({ $0.shownCount == 0 && $0.number == number }) else {
            let found = await look()
            guard let newer = found.kept, let mark = found.mark else { return Answer(Snapshot(kept: kept)) }
            let source = isWhole ? kept.source : newer.source
            return Answer(Snapshot(kept: newer.revised(newer.revision, source: source)), mark: mark)
        }
        let version = committed.version
        let staleAt = committed.states[list.key]?.row?.staleAt
        return Answer(
            Snapshot(
                kept: kept.with(kept.value, staleAt: .some(staleAt)).revised(
                    .list(version, members: members.map { Revision.Member($0.key, .row(version, changes: 0)) }))),
            mark: ReadMark(store: version, pending: number))
    }

    func listKey(_ query: EntityQuery<Model>) -> EntityKey {
        EntityKey(account: account, kind: ListRow.kind(of: kind.name), id: query.rows.name)
    }
}

extension ReadFailure {
    /// Returns the failure of a query that only the service can answer.
    static func onlyAtTheService(_ query: RowQuery) -> ReadFailure {
        let names = query.parameters.filter { $0.condition == nil }.map(\.name).joined(separator: ", ")
        return ReadFailure(
            .unsupported,
            message: "the store can't answer a query with the parameter \(names), which only the service knows; give "
                + "the parameter the filter that it matches (`matching:`)")
    }

    static let noList = ReadFailure(
        .unsupported,
        message: "the source of this repository can't list; give it `list`")
}
