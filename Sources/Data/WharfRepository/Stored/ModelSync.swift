internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// A sync of one kind, in which each page and its token are one commit.
///
/// | the store has | it asks for |
/// |---|---|
/// | no token, or one that the service no longer knows | all models |
/// | a token | the changes since |
///
/// - After the last page of all models, the models that no page has brought are removed.
/// - A sync that was interrupted goes on with the page that it lacks.
/// - If a model of a page was changed since the page was asked for, the page is asked for again.
///   Otherwise the token would pass a change that the store does not have.
/// - If two processes sync at once, the page of one is refused. That process goes on from the
///   other's token.
struct ModelSync<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>
    /// nil if the source has no changes to sync.
    let changes: RemoteSource<Model>.Changes?
    /// Lets one sync run at a time.
    private let turns = AsyncMutex()

    init(_ models: StoredModels<Model>, _ changes: RemoteSource<Model>.Changes?) {
        (self.models, self.changes) = (models, changes)
    }

    /// The number of times in a row that a page is overtaken before the sync fails.
    private static var mostOvertaken: Int { 20 }

    /// The outcome of one request.
    private enum Step {
        case committed(SyncResult, hasMore: Bool)
        /// The store has changed since the page was asked for; it is asked for again.
        case overtaken
        /// The service no longer knows the token.
        case expired
    }

    /// The state of the store when a page is asked for.
    private struct StoreState {
        let place: SyncProgress
        /// The version of the row with the place.
        let version: StoreVersion
        /// The version of the account.
        let basis: StoreVersion
        let request: UInt64
    }

    func run() async throws(ReadFailure) -> SyncResult {
        guard let changes else { throw .noChanges }
        return try await turns.withLock { () async throws(ReadFailure) in
            var result = SyncResult(changedCount: 0, removedCount: 0, asOf: models.clock.now())
            var (mayExpire, overtaken) = (true, 0)
            while true {
                // Between pages, where the committed place is consistent.
                if Task.isCancelled { throw .cancelled() }
                let outcome = try await models.requests.run { number throws(ReadFailure) in
                    try await step(changes, number, mayExpire: mayExpire)
                }
                switch outcome {
                case .committed(let page, let hasMore):
                    result.changedCount += page.changedCount
                    result.removedCount += page.removedCount
                    result.asOf = page.asOf
                    if !hasMore { return result }
                    overtaken = 0
                case .overtaken:
                    overtaken += 1
                    guard overtaken < Self.mostOvertaken else { throw .busySync }
                case .expired: mayExpire = false
                }
            }
        }
    }

    /// Returns when the store last had all that the service had, and at which version.
    ///
    /// nil if it never had, or if the source has no changes to sync.
    func last() async throws(StoreError) -> (at: WallTime, version: StoreVersion)? {
        guard changes != nil else { return nil }
        let state = try await models.store.state(of: key)
        guard let syncedAt = state.row.flatMap({ SyncProgress($0, schema: schema) })?.syncedAt else { return nil }
        return (syncedAt, state.version)
    }

    /// The key of the row with the token. Its own kind keeps it out of queries over the models.
    private var key: EntityKey { EntityKey(account: models.account, kind: models.kind.syncKind, id: "token") }

    private var schema: Int { models.kind.codec.schema }

    // MARK: One page

    private func step(
        _ changes: RemoteSource<Model>.Changes, _ number: UInt64, mayExpire: Bool
    ) async throws(ReadFailure) -> Step {
        let storeState = try await storing("read the state of a sync") { () async throws(StoreError) -> StoreState in
            try await look(number)
        }
        // The ground is read before the request. A commit after it makes the expected versions
        // fail.
        let answer = await changes(storeState.place.token)
        guard let kept = answer.kept else {
            let error = answer.error ?? .nothingKept
            // One expiry a sync: a service that always answers 410 would otherwise be asked for
            // ever.
            guard error.saysGoneForCertain, storeState.place.token != nil, mayExpire else { throw error }
            return try await storing("remove the token of a sync") { () async throws(StoreError) -> Step in
                let outcome = try await models.store.commit([.remove(key)], expecting: [key: storeState.version])
                if case .refused = outcome { return .overtaken }
                return .expired
            }
        }
        if kept.mustNotBeStored { throw .unstorableSync }
        if kept.value.hasMore, kept.value.nextToken == storeState.place.token { throw .endlessSync }
        let rows = try rows(kept)
        return try await storing("store the changes of a sync") { () async throws(StoreError) -> Step in
            try await commit(kept, rows, on: storeState)
        }
    }

    /// Looks how far the store is synced.
    ///
    /// Before the request for all models, the place is committed. That commit separates the pages
    /// from answers to earlier requests, which know lower versions.
    private func look(_ number: UInt64) async throws(StoreError) -> StoreState {
        while true {
            if models.queue.isEnded { throw .ended }
            let found = try await models.store.states(of: [key])
            let basis = found.versions[models.account] ?? .none
            let version = found[key]?.version ?? .none
            // The versions of some stores start at 0 in each process. A start from an earlier
            // process then can't tell which models came since, so all models are asked for again.
            if let place = found[key]?.row.flatMap({ SyncProgress($0, schema: schema) }), place.token != nil,
                place.start.map({ version > $0 }) ?? true
            {
                return StoreState(place: place, version: version, basis: basis, request: number)
            }
            let place = SyncProgress(token: nil, start: basis)
            let outcome = try await models.store.commit(
                [.put(place.row(key, schema: schema, asOf: models.clock.now()))], expecting: [key: version])
            if let begun = outcome.version(of: models.account) {
                return StoreState(place: place, version: begun, basis: begun, request: number)
            }
        }
    }

    private func rows(_ kept: Snapshot<SyncPage<Model>>.Kept) throws(ReadFailure) -> [EntityRow] {
        let kind = models.kind
        let staleAt = kind.timeToLive.map { kept.asOf + $0 }
        do { return try models.coding.rows(kept.value.changed, asOf: kept.asOf, staleAt: staleAt) } catch {
            models.coding.reportUnencodable("a page of changes to \(kind.name)", error)
            throw ReadFailure(
                .storeFailed,
                message: "\(kind.name) can't be kept, because a model of the sync can't be encoded: \(error)",
                cause: error)
        }
    }

    /// Runs a step that uses the store.
    private func storing<Value>(
        _ action: String, _ body: () async throws(StoreError) -> Value
    ) async throws(ReadFailure) -> Value {
        do throws(StoreError) {
            return try await body()
        } catch {
            if error.code == .cancelled { throw .cancelled(error) }
            throw models.coding.failed(error, "\(action): \(models.kind.name)")
        }
    }

    // MARK: Committing

    /// The changes of a page, ready to be committed over the states of their keys.
    private struct Changes {
        var put: [EntityRow] = []
        var gone: [EntityKey] = []
        /// Whether the store has a newer state of a model than the page has.
        var isOvertaken = false
    }

    private func commit(
        _ kept: Snapshot<SyncPage<Model>>.Kept, _ rows: [EntityRow], on storeState: StoreState
    ) async throws(StoreError) -> Step {
        let (page, asOf) = (kept.value, kept.asOf)
        let incoming = IncomingValue(basis: storeState.basis, request: storeState.request, asOf: asOf)
        // A page may name a model twice, as for two changes. The last one counts.
        let rows = Dictionary(rows.map { ($0.key, $0) }) { _, last in last }
        let removed = Set(page.removed.map { models.kind.key($0, of: models.account) }).subtracting(rows.keys)
        var states = try await models.store.states(of: Array(rows.keys) + Array(removed)).states
        var unseen: Set<EntityKey> = []
        // The last page of all models: each stored model that no page has brought is a candidate
        // for removal.
        if !page.hasMore, storeState.place.start != nil {
            for state in try await models.rows().states {
                guard let key = state.row?.key, rows[key] == nil, !removed.contains(key) else { continue }
                unseen.insert(key)
                states[key] = state
            }
        }
        let next = SyncProgress(
            token: page.nextToken, start: page.hasMore ? storeState.place.start : nil,
            syncedAt: page.hasMore ? storeState.place.syncedAt : asOf)
        while true {
            if models.queue.isEnded { throw .ended }
            let changes = changes(rows, removed, unseen, states, incoming, storeState)
            // Without this, the token would pass a change that is not in the store.
            if changes.isOvertaken { return .overtaken }
            let keys = Set(changes.put.map(\.key) + changes.gone)
            var expected = states.filter { keys.contains($0.key) }.mapValues(\.version)
            // The place is in the same compare-and-set, so that of two processes one fails as a
            // whole.
            expected[key] = storeState.version
            let commit =
                changes.put.map(EntityChange.put) + changes.gone.map(EntityChange.remove)
                + [.put(next.row(key, schema: schema, asOf: asOf))]
            switch try await models.store.commit(commit, expecting: expected) {
            case .refused(let current):
                // Another process has moved the place. Its token is ahead of this page.
                if current[key] != nil { return .overtaken }
                // Other models have changed. The page is resolved again over their present states.
                states.merge(current) { $1 }
            case .committed(let numbers):
                let version = numbers[models.account] ?? .none
                models.requests.note(changes.put.map(\.key), at: version, answering: storeState.request)
                return .committed(
                    SyncResult(
                        changedCount: changes.put.count, removedCount: changes.gone.count, asOf: asOf),
                    hasMore: page.hasMore)
            }
        }
    }

    private func changes(
        _ rows: [EntityKey: EntityRow], _ removed: Set<EntityKey>, _ unseen: Set<EntityKey>,
        _ states: [EntityKey: EntityState], _ incoming: IncomingValue, _ storeState: StoreState
    ) -> Changes {
        var changes = Changes()
        for row in rows.values {
            let state = states[row.key]
            if let state, models.resolution(state, of: row.key, incoming) == .current { changes.isOvertaken = true }
            changes.put.append(models.prepared(row, incoming, over: state))
        }
        for key in removed {
            guard let state = states[key], state.row != nil else { continue }
            if models.resolution(state, of: key, incoming) == .current { changes.isOvertaken = true }
            changes.gone.append(key)
        }
        if let start = storeState.place.start {
            changes.gone += unseen.filter { key in states[key].map { isGone($0, since: start) } ?? false }
        }
        return changes
    }

    /// Returns whether a model that no page has brought is gone from the service.
    ///
    /// The model exists if it came by a request that began after the request for all models. A
    /// model that came without a request exists too, if it came since then.
    private func isGone(_ state: EntityState, since start: StoreVersion) -> Bool {
        guard let row = state.row else { return false }
        if state.version <= start { return true }
        return row.basis(at: state.version).map { $0 <= start } ?? false
    }
}

extension ReadFailure {
    fileprivate static let noChanges = ReadFailure(
        .unsupported,
        message: "the source of this repository does not report changes; give it `syncing`, and a store")
    fileprivate static let unstorableSync = ReadFailure(
        .unsupported,
        message: "the service forbids storing its changes (Cache-Control: no-store), so they can't be synced")
    fileprivate static let busySync = ReadFailure(
        .storeFailed,
        message: "the models of a page changed during each attempt to fetch it; sync again later")
    fileprivate static let endlessSync = ReadFailure(
        .endlessPages,
        message: "the service reports more changes with the token that it was asked with, so the sync would never end; "
            + "correct the service")
}
