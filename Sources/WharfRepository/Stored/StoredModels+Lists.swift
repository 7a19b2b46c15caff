internal import WharfCore
internal import WharfPrimitives

extension StoredModels {
    func list(_ query: EntityQuery<Model>, _ mode: CacheMode, _ expect: Expect) async -> Snapshot<[Model]> {
        guard let remote else { return await queried(query) }
        guard let list = remote.list else { return Snapshot(kept: nil, error: .noList) }
        return await answer(listKey(query), mode) {
            await lookList(query)
        } ask: { mode in
            await list(query, mode)
        } keep: { kept, ticket in
            await keepList(kept, query, ticket, expect)
        }
    }

    /// What the store has of a list; a member that is gone from the store is gone from the list.
    func lookList(_ query: EntityQuery<Model>) async -> Found<[Model]> {
        await lookMembers(listKey(query), adding: query.rows) { row in
            ListRow.ids(row).map { ($0, ()) }
        } made: { models, _ in
            models
        }
    }

    /// - Parameters:
    ///   - query: decides where models stand that were added and that the list may not have yet; nil where none belongs.
    ///   - read: the ids of the members and what else the row says; nil where it can't be read.
    ///   - made: the value of members and of what else the row says.
    func lookMembers<Value, Rest>(
        _ key: EntityKey, adding query: RowQuery?, read: (EntityRow) -> (ids: [String], rest: Rest)?,
        made: ([Model], Rest) -> Value
    ) async -> Found<Value> {
        do throws(StoreError) {
            try await restoreWaiting()
            guard let row = try await store.row(key), let (ids, rest) = read(row) else { return Found() }
            let keys = ids.map { EntityKey(account: account, kind: kind.name, id: $0) }
            missing.set(keys, of: row.key)
            let writes = pending.allShown
            let found = try await store.rows(keys)
            let present = keys.compactMap { key in
                found[key].flatMap { shown($0, key, over: writes[UTF8Key(key.id), default: []]) }
                    .map { (key: key, kept: $0) }
            }
            missing.set(Set(keys).subtracting(present.map(\.key)), of: row.key)
            var members = present.map(\.kept)
            if let query { members = try await shown(members, query, asOf: row.asOf) }
            let hidesSome = !pending.isEmpty && keys.contains(where: isDecidedHere)
            let kept = Snapshot<Value>.Kept(
                value: made(members.map(\.value), rest), source: .store, asOf: row.asOf, staleAt: row.staleAt)
            return Found(
                kept: kept.stamped(stamp(row, members.map(\.stamp)))
                    .pending(hidesSome || members.contains(where: \.isPending)))
        } catch {
            return Found(failure: failed(error, "read the list of \(kind.name)"))
        }
    }

    /// What the store answers by itself, where nobody else can be asked: as of its oldest row.
    func queried(_ query: EntityQuery<Model>) async -> Snapshot<[Model]> {
        do throws(StoreError) {
            let rows = try await store.rows(query.rows, of: account, kind: kind.name)
            let kept = Snapshot<[Model]>.Kept(
                value: rows.compactMap { decoded($0)?.value }, source: .store,
                asOf: rows.map(\.asOf).min() ?? clock.now())
            return Snapshot(kept: kept.stamped(stamp(nil, rows.map(\.stamp))))
        } catch {
            return Snapshot(kept: nil, error: failed(error, "query \(kind.name)"))
        }
    }

    private func keepList(
        _ kept: Snapshot<[Model]>.Kept, _ query: EntityQuery<Model>, _ ticket: CommitLine.Ticket,
        _ expect: Expect
    ) async -> Snapshot<[Model]>.Kept {
        await keepMembers(kept, kept.value, ticket, expect) { ids in
            (listKey(query), ListRow.schema, ListRow.bytes(ids))
        } stored: {
            await line.shielded { [self] in await lookList(query).kept }
        }
    }

    /// - Parameters:
    ///   - row: key, schema and bytes of the row of a list with members of these ids.
    ///   - stored: what is shown of what the store has by then.
    func keepMembers<Value>(
        _ kept: Snapshot<Value>.Kept, _ members: [Model], _ ticket: CommitLine.Ticket, _ expect: Expect,
        row: ([String]) -> (key: EntityKey, schema: Int, bytes: [UInt8]), stored: () async -> Snapshot<Value>.Kept?
    ) async -> Snapshot<Value>.Kept {
        let staleAt = kind.listTimeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        let kept = kept.with(kept.value, staleAt: .some(staleAt))
        guard !kept.mustNotBeStored else { return kept }
        let entityStaleAt = kind.timeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        do {
            let said = try members.map { try kind.row($0, of: account, asOf: kept.asOf, staleAt: entityStaleAt) }
            let rows = await line.shielded { [self] in await keepingValidators(said) }
            let (key, schema, bytes) = row(rows.map(\.key.id))
            let list = EntityRow(key: key, schema: schema, bytes: bytes, asOf: kept.asOf, staleAt: staleAt)
            let changes = [.put(list)] + rows.map(EntityChange.put)
            let stamp = stamp(list, rows.map(\.stamp))
            expect(stamp)
            let wasPending = !pending.isEmpty
            let committed = await commit(changes, ticket)
            // Some of it was answered later or made stale meanwhile: what the store has is newer.
            if committed.changes != changes, let newer = await stored() { return newer }
            if wasPending || !pending.isEmpty, let shown = await stored() {
                return shown.stamped(shown.stamp, source: kept.source)
            }
            return committed.isUncertain ? kept : kept.stamped(stamp)
        } catch {
            reportUnencodable("a list of \(kind.name)", error)
            return kept
        }
    }

    /// A list has no entity tags of its members: those of what has not changed are still right.
    private func keepingValidators(_ rows: [EntityRow]) async -> [EntityRow] {
        do throws(StoreError) {
            let known = try await store.rows(rows.map(\.key))
            return rows.map { row in
                var row = row
                if let known = known[row.key], known.schema == row.schema, known.bytes == row.bytes {
                    row.validator = known.validator
                }
                return row
            }
        } catch {
            _ = failed(error, "read \(kind.name)")
            return rows
        }
    }

    func listKey(_ query: EntityQuery<Model>) -> EntityKey {
        EntityKey(account: account, kind: ListRow.kind(of: kind.name), id: query.rows.name)
    }

    func stamp(_ list: EntityRow?, _ rows: [Int?]) -> Int {
        var hasher = Hasher()
        hasher.combine(list?.stamp)
        hasher.combine(rows)
        return hasher.finalize()
    }
}

extension ReadFailure {
    static let noList = ReadFailure(
        .unsupported,
        message: "expected a source that can list, but this one was made without `list`; give it one")
}
