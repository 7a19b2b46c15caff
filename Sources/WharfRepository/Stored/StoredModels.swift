internal import WharfCore
internal import WharfPrimitives

/// A remote source with an entity store in front as the source of truth: what it answers is in the store first.
struct StoredModels<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let kind: EntityKind<Model>
    let account: Account?
    let store: any EntityStore
    /// nil: the store is all there is.
    let remote: RemoteSource<Model>?
    let clock: any WallClock
    /// For pauses.
    let timer: any Clock<Duration>
    let report: IncidentHandler
    let line: CommitLine
    let lanes = KeyedAsyncMutex<UTF8Key>()
    let pending = PendingWrites()
    let missing = MissingMembers()
    /// nil: changes go straight to the service.
    var waiting: WaitingChanges<Model>?

    /// Tells what will be in the store, before it is.
    typealias Expect = @Sendable (_ stamp: Int) -> Void

    func get(_ id: Model.ID, _ mode: CacheMode, _ expect: Expect) async -> Snapshot<Model> {
        let key = kind.key(id, of: account)
        guard let remote else { return await look(key).answered }
        return await answer(key, mode) {
            await look(key)
        } ask: { mode in
            await remote.get(id, mode)
        } keep: { kept, ticket in
            await keep(kept, ticket, expect)
        }
    }

    /// What the store has where that is enough, or what the remote says, which goes into the store.
    func answer<Value: Sendable>(
        _ key: EntityKey, _ mode: CacheMode, look: () async -> Found<Value>,
        ask: (CacheMode) async -> Snapshot<Value>,
        keep: (Snapshot<Value>.Kept, CommitLine.Ticket) async -> Snapshot<Value>.Kept?
    ) async -> Snapshot<Value> {
        await line.ask { ticket in
            let found = await look()
            if isDecidedHere(key) { return found.answered }
            if let settled = settled(found, mode) { return settled }
            var answer = await ask(mode.asked(whenKept: found.kept))
            if mode == .normal, isBeforeDelivery(answer.kept) { answer = await ask(.reload) }
            if let kept = answer.kept {
                // A cache that nobody has told of a change since.
                if isBeforeDelivery(kept) { return Snapshot(kept: found.kept ?? kept, error: answer.error) }
                if kept.source == .httpCache, let stored = found.kept, stored.asOf >= kept.asOf {
                    return Snapshot(kept: stored, error: answer.error)
                }
                let shown = await keep(kept, ticket)
                return Snapshot(kept: shown, error: shown == nil ? .nothingKept : answer.error)
            }
            guard let error = answer.error else { return found.answered }
            if error.saysGone { await commit([.remove(key)], ticket) }
            if error.isAnswer || mode == .bypass { return answer }
            // Looking for something in the cache below and finding nothing is no failed refresh, and says nothing of the store.
            return error.code == .nothingKept ? found.answered : Snapshot(kept: found.kept, error: error)
        }
    }

    private func isBeforeDelivery<Value>(_ kept: Snapshot<Value>.Kept?) -> Bool {
        guard let kept, kept.source == .httpCache, let delivery = pending.lastDelivery else { return false }
        return kept.asOf <= delivery
    }

    // MARK: The store

    /// What the store has of a key.
    struct Found<Value: Sendable> {
        var kept: Snapshot<Value>.Kept?
        var failure: ReadFailure?

        /// What to answer where nobody else can be asked.
        var answered: Snapshot<Value> { Snapshot(kept: kept, error: kept == nil ? failure ?? .nothingKept : failure) }
    }

    func look(_ key: EntityKey) async -> Found<Model> {
        do {
            try await restoreWaiting()
            let writes = pending.shown(key.id)
            return Found(kept: shown(try await store.row(key), key, over: writes))
        } catch {
            return Found(failure: failed(error, "read \(kind.name) \(key.id)"))
        }
    }

    /// nil, and an incident, for a row that can't be decoded: it is as good as nothing kept.
    func decoded(_ row: EntityRow) -> Snapshot<Model>.Kept? {
        do {
            return Snapshot<Model>.Kept(
                value: try kind.model(row), source: .store, asOf: row.asOf, staleAt: row.staleAt
            ).stamped(row.stamp)
        } catch {
            report(
                Incident(
                    .entityUndecodable,
                    message: "\(kind.name) \(row.key.id) (schema \(row.schema)) can't be decoded: \(error)",
                    cause: error))
            return nil
        }
    }

    /// The answer where the remote need not be asked.
    func settled<Value: Sendable>(_ found: Found<Value>, _ mode: CacheMode) -> Snapshot<Value>? {
        guard let kept = found.kept else { return nil }
        switch mode {
        case .storedOnly: return found.answered
        case .normal where kept.isFresh(at: clock.now()): return found.answered
        default: return nil
        }
    }

    func failed(_ error: StoreError, _ action: String) -> ReadFailure {
        let message = "the entity store could not \(action): \(error.message)"
        report(Incident(.storeFailed, message: message, cause: error))
        return ReadFailure(.storeFailed, message: message, cause: error)
    }
}

extension CacheMode {
    /// How the remote is asked: what the store takes for stale must not be answered from the cache of bytes below.
    func asked<Value>(whenKept kept: Snapshot<Value>.Kept?) -> CacheMode {
        self == .normal && kept != nil ? .reload : self
    }
}
