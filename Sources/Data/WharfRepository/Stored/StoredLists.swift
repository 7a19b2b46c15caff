internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The lists and pages of a repository over its stored models.
///
/// A list is a row of its own, with the ids of its members and of the page after it. Its members
/// are the rows of the models.
struct StoredLists<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>
    /// nil if the store is the only source.
    let remote: RemoteSource<Model>?
    /// Answers the lists of a repository without a remote source.
    let queries: StoredQueries<Model>
    /// The clock of the pauses before a failed look is repeated.
    let timer: any Clock<Duration>
    // Invariant: for each list in memory, these are the members without a row at its last look.
    // While a look is under way, these are all members of the list.
    private let missing = MissingMembers()

    init(
        _ models: StoredModels<Model>, remote: RemoteSource<Model>?, _ queries: StoredQueries<Model>,
        timer: any Clock<Duration>
    ) {
        (self.models, self.remote, self.queries, self.timer) = (models, remote, queries, timer)
    }

    func list(
        _ query: EntityQuery<Model>, _ mode: CacheMode, _ found: StoreRead<[Model]>?,
        _ willCommit: @escaping StoredModels<Model>.WillCommit
    ) async -> MarkedAnswer<[Model]> {
        guard let remote else { return await queries.list(query) }
        guard let list = remote.list else { return MarkedAnswer(Snapshot(kept: nil, error: .noList)) }
        return await models.answer(models.kind.listKey(query, of: models.account), mode, found, willCommit) {
            await lookList(query)
        } ask: { mode in
            await list(query, mode)
        } keep: { kept, request in
            await keepMembers(kept, kept.value, request) { ids in
                (models.kind.listKey(query, of: models.account), ListRow.schema, ListRow.bytes(ids))
            } look: {
                await lookList(query)
            }
        }
    }

    /// Looks at a list in the store. A member that is gone from the store is left out.
    private func lookList(_ query: EntityQuery<Model>) async -> StoreRead<[Model]> {
        await lookMembers(models.kind.listKey(query, of: models.account), adding: query.rows.storeQuery) { row in
            ListRow.ids(row).map { ($0, ()) }
        } made: { members, _ in
            members
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
    private func lookMembers<Value, Rest>(
        _ key: EntityKey, adding query: RowQuery?, read: (EntityRow) -> (ids: [String], rest: Rest)?,
        made: ([Model], Rest) -> Value
    ) async -> StoreRead<Value> {
        do throws(StoreError) {
            try await models.journal?.restore()
            // Read before the rows, as for one model (``StoredModels/look(_:)``).
            let changes = models.pending.current
            var list = try await models.store.states(of: [key])
            while true {
                let mark = ReadMark(store: list.versions[models.account] ?? .none, pending: changes.number)
                guard let state = list[key] else { return StoreRead(mark: mark) }
                guard let row = state.row, let (ids, rest) = read(row) else {
                    return StoreRead(mark: mark, version: state.version)
                }
                let keys = ids.map(models.coding.key)
                let added = query == nil || query?.after != nil ? [] : changes.additions(since: row.asOf)
                let others = Set(added.map { models.coding.key($0.text) }).subtracting(keys)
                // Before the rows are read. A member that is put during the read would otherwise
                // touch no list.
                missing.set(keys, of: row.key)
                let found = try await models.store.states(of: [key] + keys + Array(others))
                // The row and its members have to come from one snapshot of the store. A list that
                // is mixed from two snapshots would be older in part than its mark says, and could
                // replace a newer one.
                guard found[key]?.version == state.version else {
                    list = found
                    continue
                }
                func shown(_ key: EntityKey) -> Snapshot<Model>.Kept? {
                    found[key].flatMap { models.coding.shown($0, key, over: changes.shown(key.id)) }
                }
                let present = keys.compactMap { key in shown(key).map { (key: key, kept: $0) } }
                missing.set(Set(keys).subtracting(present.map(\.key)), of: row.key)
                var members = present.map(\.kept)
                if let query {
                    let order = added.map { models.coding.key($0.text) }
                    members = adding(order.filter(others.contains).compactMap(shown), to: members, query)
                }
                let hidesSome = keys.contains { changes.shown($0.id).decides }
                let kept = Snapshot<Value>.Kept(
                    value: made(members.map(\.value), rest), source: .store, asOf: row.asOf, staleAt: row.staleAt
                ).revised(.list(state.version, members: members.map { member($0.value, $0.revision) }))
                    .pending(hidesSome || members.contains(where: \.isPending))
                let moment = ReadMark(store: found.versions[models.account] ?? .none, pending: changes.number)
                return StoreRead(kept: kept, mark: moment, version: state.version)
            }
        } catch {
            return StoreRead(failure: models.coding.failed(error, "read the list of \(models.kind.name)"))
        }
    }

    private func member(_ model: Model, _ revision: Revision?) -> Revision.Member {
        Revision.Member(models.kind.key(model.id, of: models.account), revision)
    }

    /// Commits a list and its members, and returns the list as it is shown.
    ///
    /// - Parameters:
    ///   - row: makes key, schema and bytes of the list's row from the ids of the members.
    ///   - look: looks at the list, if the store has something newer of it or changes are shown
    ///     over it.
    private func keepMembers<Value>(
        _ kept: Snapshot<Value>.Kept, _ members: [Model], _ request: StoredModels<Model>.Request<Value>,
        row: ([String]) -> (key: EntityKey, schema: Int, bytes: [UInt8]), look: () async -> StoreRead<Value>
    ) async -> MarkedAnswer<Value> {
        let staleAt = models.kind.listTimeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        let kept = kept.with(kept.value, staleAt: .some(staleAt))
        guard !kept.mustNotBeStored else { return MarkedAnswer(Snapshot(kept: kept)) }
        let entityStaleAt = models.kind.timeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        let rows: [EntityRow]
        do {
            rows = try members.map { model in
                try models.kind.row(
                    model, of: models.account, asOf: kept.asOf, staleAt: entityStaleAt,
                    validator: models.kind.entityTag?(model))
            }
        } catch {
            models.coding.reportUnencodable("a list of \(models.kind.name)", error)
            return MarkedAnswer(Snapshot(kept: kept))
        }
        let (key, schema, bytes) = row(rows.map(\.key.id))
        let list = EntityRow(key: key, schema: schema, bytes: bytes, asOf: kept.asOf, staleAt: staleAt)
        // Read before the commit. If it differs afterwards, a change came meanwhile and a look
        // decides.
        let number = models.pending.read(\.number)
        // Before the commit, whose notification may come first.
        request.willCommit()
        var answer: MarkedAnswer<Value>
        do throws(StoreError) {
            answer = try await commit(kept, list, rows, request, number, look)
        } catch {
            _ = models.coding.failed(error, "keep a list of \(models.kind.name)")
            answer = MarkedAnswer(Snapshot(kept: kept))
        }
        answer.hasOpenCommit = true
        return answer
    }

    private func commit<Value>(
        _ kept: Snapshot<Value>.Kept, _ list: EntityRow, _ members: [EntityRow],
        _ request: StoredModels<Model>.Request<Value>,
        _ number: UInt64, _ look: () async -> StoreRead<Value>
    ) async throws(StoreError) -> MarkedAnswer<Value> {
        let incoming = IncomingValue(basis: request.basis, request: request.number, asOf: kept.asOf)
        let rows = [list] + members
        let committed = try await models.commit(rows.map(EntityChange.put), incoming, expecting: nil)
        let isWhole = committed.accepted.count == Set(rows.map(\.key)).count
        // A later answer has overtaken some rows, or changes are pending. In both cases a look at
        // the store finds the list as it is shown.
        guard isWhole, models.pending.read({ $0.shownCount == 0 && $0.number == number }) else {
            let found = await look()
            guard let newer = found.kept, let mark = found.mark else { return MarkedAnswer(Snapshot(kept: kept)) }
            let source = isWhole ? kept.source : newer.source
            return MarkedAnswer(Snapshot(kept: newer.revised(newer.revision, source: source)), mark: mark)
        }
        let version = committed.version
        let staleAt = committed.states[list.key]?.row?.staleAt
        return MarkedAnswer(
            Snapshot(
                kept: kept.with(kept.value, staleAt: .some(staleAt)).revised(
                    .list(version, members: members.map { Revision.Member($0.key, .row(version, changes: 0)) }))),
            mark: ReadMark(store: version, pending: number))
    }

    /// Puts added models into their places among the members of a list.
    ///
    /// The list may not have these models yet.
    private func adding(
        _ added: [Snapshot<Model>.Kept], to members: [Snapshot<Model>.Kept], _ query: RowQuery
    ) -> [Snapshot<Model>.Kept] {
        let fitting = added.filter { query.condition.matches(models.kind.fields($0.value)) }
        guard !fitting.isEmpty else { return members }
        let all = members + fitting
        // Only fields that the kind indexes can be sorted by. Without them the models stand at the
        // end.
        let known = Set(models.kind.indexes.map(\.name))
        guard !query.sort.isEmpty, query.sort.allSatisfy({ known.contains($0.field) }) else {
            return Array(all.prefix(query.limit ?? all.count))
        }
        return query.answer(all, id: { models.kind.text($0.value.id) }, fields: { models.kind.fields($0.value) })
    }
}

// A page lies in the store as a list does, with the token of the next page.
extension StoredLists {
    func page(
        _ question: PageQuery<Model>, _ mode: CacheMode, _ found: StoreRead<Page<Model>>?,
        _ willCommit: @escaping StoredModels<Model>.WillCommit
    ) async -> MarkedAnswer<Page<Model>> {
        guard let remote else { return await queries.page(question) }
        guard let page = remote.page else { return MarkedAnswer(Snapshot(kept: nil, error: .noPages)) }
        return await models.answer(models.kind.pageKey(question, of: models.account), mode, found, willCommit) {
            await lookPage(question)
        } ask: { mode in
            await page(question, mode)
        } keep: { kept, request in
            await keepMembers(kept, kept.value.items, request) { ids in
                (
                    models.kind.pageKey(question, of: models.account), ListRow.pageSchema,
                    ListRow.bytes(ids, next: kept.value.next)
                )
            } look: {
                await lookPage(question)
            }
        }
    }

    private func lookPage(_ question: PageQuery<Model>) async -> StoreRead<Page<Model>> {
        // Models that the service has not placed yet are shown on the first page.
        await lookMembers(
            models.kind.pageKey(question, of: models.account),
            adding: question.token == nil ? question.query.rows.storeQuery : nil
        ) {
            row in
            ListRow.page(row).map { ($0.ids, $0.next) }
        } made: {
            Page($0, next: $1)
        }
    }
}

// MARK: Following the store

extension StoredLists {
    func listCoherence() -> Coherence<EntityQuery<Model>, [Model]> {
        coherence(
            models.pending.listChanges, members: { $0 },
            key: { [models] in models.kind.listKey($0, of: models.account) }
        ) { [self] query in
            remote == nil ? await queries.list(query) : await lookList(query).answer
        }
    }

    func pageCoherence() -> Coherence<PageQuery<Model>, Page<Model>> {
        coherence(
            models.pending.pageChanges, members: \.items,
            key: { [models] in models.kind.pageKey($0, of: models.account) }
        ) { [self] question in
            remote == nil ? await queries.page(question) : await lookPage(question).answer
        }
    }

    /// - Parameter shown: tells of changes to the pending changes. It belongs to one cache.
    private func coherence<Key: Hashable, Value>(
        _ shown: EntityFeed, members: @escaping @Sendable (Value) -> [Model],
        key: @escaping @Sendable (Key) -> EntityKey,
        look: @escaping @Sendable (Key) async -> MarkedAnswer<Value>
    ) -> Coherence<Key, Value> {
        let lists = ListRow.kind(of: models.kind.name)
        return Coherence(
            store: [
                models.store.changes(of: models.account, kind: models.kind.name, since: nil),
                models.store.changes(of: models.account, kind: lists, since: nil),
            ],
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
                        if let own = changed[models.kind.key(member.id, of: models.account)] {
                            version = max(version ?? own, own)
                        }
                    }
                    // A member that had no row may have one now. The list's value does not name it.
                    if let own = missing.touched(changed, key) { version = max(version ?? own, own) }
                    touched[question] = version
                }
                return touched
            },
            look: look,
            timer: timer)
    }
}

extension EntityKind {
    /// Returns the key of a list's row.
    func listKey(_ query: EntityQuery<Model>, of account: Account?) -> EntityKey {
        EntityKey(account: account, kind: ListRow.kind(of: name), id: query.rows.name)
    }

    /// Returns the key of a page's row.
    func pageKey(_ question: PageQuery<Model>, of account: Account?) -> EntityKey {
        let list = listKey(question.query, of: account)
        let place = question.token.map { ";@" + $0.text } ?? ""
        return EntityKey(account: account, kind: list.kind, id: list.id + ";/\(question.size)" + place)
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
