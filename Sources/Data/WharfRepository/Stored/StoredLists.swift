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

    private var kind: EntityKind<Model> { models.kind }

    init(
        _ models: StoredModels<Model>, remote: RemoteSource<Model>?, _ queries: StoredQueries<Model>,
        timer: any Clock<Duration>
    ) {
        (self.models, self.remote, self.queries, self.timer) = (models, remote, queries, timer)
    }

    /// A list or page, as it lies in the store and as it is read.
    private struct Shape<Value> {
        let key: EntityKey
        /// Decides where added models stand that the list may not have yet; nil if none belongs in
        /// it.
        let query: RowQuery?
        let schema: Int
        /// Makes the bytes of the row from the ids of the members.
        let bytes: ([String], Value) -> [UInt8]
        /// Gives the ids of the members, and makes the value from the members. nil if the row can't
        /// be read.
        let read: (EntityRow) -> (ids: [String], made: ([Model]) -> Value)?
        let members: (Value) -> [Model]
    }

    private func shape(_ query: EntityQuery<Model>) -> Shape<[Model]> {
        Shape(
            key: kind.listKey(query, of: models.account), query: query.rows.storeQuery, schema: ListRow.schema,
            bytes: { ids, _ in ListRow.bytes(ids) }, read: { ListRow.ids($0).map { ($0, { $0 }) } }, members: { $0 })
    }

    /// A page is a list with the token of the next page.
    private func shape(_ question: PageQuery<Model>) -> Shape<Page<Model>> {
        Shape(
            key: kind.pageKey(question, of: models.account),
            // Models that the service has not placed yet are shown on the first page.
            query: question.token == nil ? question.query.rows.storeQuery : nil, schema: ListRow.pageSchema,
            bytes: { ListRow.bytes($0, next: $1.next) },
            read: { ListRow.page($0).map { row in (row.ids, { Page($0, next: row.next) }) } }, members: \.items)
    }

    func list(
        _ query: EntityQuery<Model>, _ mode: CacheMode, _ found: StoreRead<[Model]>?, _ descent: Descent<[Model]>,
        _ willCommit: @escaping StoredModels<Model>.WillCommit
    ) async -> MarkedAnswer<[Model]> {
        guard let remote else { return await queries.list(query) }
        guard remote.list != nil else { return MarkedAnswer(Snapshot(kept: nil, error: .noList)) }
        return await answer(shape(query), mode, found, willCommit) { await remote.list(query, $0, by: descent) }
    }

    func page(
        _ question: PageQuery<Model>, _ mode: CacheMode, _ found: StoreRead<Page<Model>>?, _: Descent<Page<Model>>,
        _ willCommit: @escaping StoredModels<Model>.WillCommit
    ) async -> MarkedAnswer<Page<Model>> {
        guard let remote else { return await queries.page(question) }
        guard let page = remote.page else { return MarkedAnswer(Snapshot(kept: nil, error: .noPages)) }
        return await answer(shape(question), mode, found, willCommit) { await page(question, $0) }
    }

    private func answer<Value>(
        _ shape: Shape<Value>, _ mode: CacheMode, _ found: StoreRead<Value>?,
        _ willCommit: @escaping StoredModels<Model>.WillCommit, ask: (CacheMode) async -> Snapshot<Value>
    ) async -> MarkedAnswer<Value> {
        await models.answer(shape.key, mode, found, willCommit) {
            await look(shape)
        } ask: {
            await ask($0)
        } keep: { kept, request in
            await keep(kept, request, shape)
        }
    }

    /// Looks at a list and its members in the store.
    ///
    /// A member that is gone from the store is left out.
    private func look<Value>(_ shape: Shape<Value>) async -> StoreRead<Value> {
        let (key, query) = (shape.key, shape.query)
        do throws(StoreError) {
            try await models.journal?.restore()
            // Read before the rows, as for one model (``StoredModels/look(_:)``).
            let changes = models.pending.current
            var list = try await models.store.states(of: [key])
            while true {
                let mark = ReadMark(store: list.versions[models.account] ?? .none, pending: changes.number)
                guard let state = list[key] else { return StoreRead(mark: mark) }
                guard let row = state.row, let (ids, made) = shape.read(row) else {
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
                func member(_ kept: Snapshot<Model>.Kept) -> Revision.Member {
                    Revision.Member(kind.key(kept.value.id, of: models.account), kept.revision)
                }
                let kept = Snapshot<Value>.Kept(
                    value: made(members.map(\.value)), source: .store, asOf: row.asOf, staleAt: row.staleAt
                ).revised(.list(state.version, members: members.map(member)))
                    .pending(hidesSome || members.contains(where: \.isPending))
                let moment = ReadMark(store: found.versions[models.account] ?? .none, pending: changes.number)
                return StoreRead(kept: kept, mark: moment, version: state.version)
            }
        } catch {
            return StoreRead(failure: models.coding.failed(error, "read the list of \(kind.name)"))
        }
    }

    /// Commits a list and its members, and returns the list as it is shown.
    private func keep<Value>(
        _ kept: Snapshot<Value>.Kept, _ request: StoredModels<Model>.Request<Value>, _ shape: Shape<Value>
    ) async -> MarkedAnswer<Value> {
        let staleAt = kind.listTimeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        let kept = kept.with(kept.value, staleAt: .some(staleAt))
        guard !kept.mustNotBeStored else { return MarkedAnswer(Snapshot(kept: kept)) }
        let entityStaleAt = kind.timeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        let rows: [EntityRow]
        do {
            rows = try models.coding.rows(shape.members(kept.value), asOf: kept.asOf, staleAt: entityStaleAt)
        } catch {
            models.coding.reportUnencodable("a list of \(kind.name)", error)
            return MarkedAnswer(Snapshot(kept: kept))
        }
        let list = EntityRow(
            key: shape.key, schema: shape.schema, bytes: shape.bytes(rows.map(\.key.id), kept.value), asOf: kept.asOf,
            staleAt: staleAt)
        // Read before the commit. If it differs afterwards, a change came meanwhile and a look
        // decides.
        let number = models.pending.read(\.number)
        // Before the commit, whose notification may come first.
        request.willCommit()
        var answer: MarkedAnswer<Value>
        do throws(StoreError) {
            answer = try await commit(kept, list, rows, request, number) { await look(shape) }
        } catch {
            _ = models.coding.failed(error, "keep a list of \(kind.name)")
            answer = MarkedAnswer(Snapshot(kept: kept))
        }
        answer.hasOpenCommit = true
        return answer
    }

    private func commit<Value>(
        _ kept: Snapshot<Value>.Kept, _ list: EntityRow, _ members: [EntityRow],
        _ request: StoredModels<Model>.Request<Value>, _ number: UInt64, look: () async -> StoreRead<Value>
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
        let fitting = added.filter { query.condition.matches(kind.fields($0.value)) }
        guard !fitting.isEmpty else { return members }
        let all = members + fitting
        // Only fields that the kind indexes can be sorted by. Without them the models stand at the
        // end.
        let known = Set(kind.indexes.map(\.name))
        guard !query.sort.isEmpty, query.sort.allSatisfy({ known.contains($0.field) }) else {
            return Array(all.prefix(query.limit ?? all.count))
        }
        return query.answer(all, id: { kind.text($0.value.id) }, fields: { kind.fields($0.value) })
    }
}

// MARK: Following the store

extension StoredLists {
    func listCoherence() -> Coherence<EntityQuery<Model>, [Model]> {
        coherence(models.pending.listChanges, shape, local: queries.list)
    }

    func pageCoherence() -> Coherence<PageQuery<Model>, Page<Model>> {
        coherence(models.pending.pageChanges, shape, local: queries.page)
    }

    /// - Parameters:
    ///   - shown: tells of changes to the pending changes. It belongs to one cache.
    ///   - local: answers if the store is the only source.
    private func coherence<Key: Hashable, Value>(
        _ shown: EntityFeed, _ shape: @escaping @Sendable (Key) -> Shape<Value>,
        local: @escaping @Sendable (Key) async -> MarkedAnswer<Value>
    ) -> Coherence<Key, Value> {
        let lists = ListRow.kind(of: kind.name)
        return Coherence(
            store: [
                models.store.changes(of: models.account, kind: kind.name, since: nil),
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
                    let shape = shape(question)
                    var version = changed[shape.key]
                    for member in shape.members(kept.value) {
                        if let own = changed[kind.key(member.id, of: models.account)] {
                            version = max(version ?? own, own)
                        }
                    }
                    // A member that had no row may have one now. The list's value does not name it.
                    if let own = missing.touched(changed, shape.key) { version = max(version ?? own, own) }
                    touched[question] = version
                }
                return touched
            },
            look: { [self] in remote == nil ? await local($0) : await look(shape($0)).answer },
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
