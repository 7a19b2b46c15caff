internal import WharfCore

/// A remote source with an entity store in front as the source of truth: what it answers is in the store first.
struct StoredModels<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let kind: EntityKind<Model>
    let account: Account?
    let store: any EntityStore
    /// nil: the store is all there is.
    let remote: RemoteSource<Model>?
    let clock: any WallClock
    let report: IncidentHandler
    let line = CommitLine()

    // MARK: One model

    /// Tells what will be in the store, before it is.
    typealias Expect = @Sendable (_ stamp: Int) -> Void

    func get(_ id: Model.ID, _ mode: CacheMode, _ expect: Expect) async -> Snapshot<Model> {
        await line.ask { ticket in
            let key = kind.key(id, of: account)
            let found = await look(key)
            if let settled = settled(found, mode) { return settled }
            guard let remote else { return found.answered }
            let answer = await remote.get(id, mode.asked(whenKept: found.kept))
            if let kept = answer.kept {
                if kept.source == .httpCache, let stored = found.kept, stored.asOf >= kept.asOf {
                    return Snapshot(kept: stored, error: answer.error)
                }
                return Snapshot(kept: await keep(kept, ticket, expect), error: answer.error)
            }
            guard let error = answer.error else { return found.answered }
            if error.saysGone {
                await commit([.remove(key)], ticket)
                return answer
            }
            if error.isAnswer || mode == .bypass { return answer }
            // Looking for something in the cache below and finding nothing is no failed refresh.
            return Snapshot(kept: found.kept, error: error.code == .nothingKept && found.kept != nil ? nil : error)
        }
    }

    /// Puts a model in, as of a moment; what is there already stays when it is newer.
    ///
    /// - Returns: what is known now.
    func receive(_ model: Model, asOf: WallTime) async -> Snapshot<Model> {
        await line.ask { ticket in
            let stored = await look(kind.key(model.id, of: account))
            if let kept = stored.kept, kept.asOf > asOf { return Snapshot(kept: kept) }
            return Snapshot(kept: await keep(.init(value: model, source: .pushed, asOf: asOf), ticket) { _ in })
        }
    }

    /// Commits what the remote said, and gives it with the lifetime that it has in the store; or what a later answer has put there.
    private func keep(
        _ kept: Snapshot<Model>.Kept, _ ticket: CommitLine.Ticket, _ expect: Expect
    ) async -> Snapshot<Model>.Kept {
        let staleAt = kind.timeToLive.map { kept.asOf + $0 } ?? kept.staleAt
        let kept = kept.with(kept.value, staleAt: .some(staleAt))
        guard !kept.mustNotBeStored else { return kept }
        do {
            let row = try kind.row(kept.value, of: account, asOf: kept.asOf, staleAt: staleAt)
            expect(row.stamp)
            let accepted = await commit([.put(row)], ticket)
            if !accepted.isEmpty { return kept.stamped(row.stamp) }
            return await look(row.key).kept ?? kept
        } catch {
            report(
                Incident(
                    .notKept, message: "\(kind.name) \(kind.text(kept.value.id)) can't be encoded: \(error)",
                    cause: error
                ))
            return kept
        }
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
            guard let row = try await store.row(key) else { return Found() }
            return Found(kept: decoded(row))
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

    /// A store that fails is reported, and does not fail the read.
    ///
    /// - Returns: the keys of what was committed: not of what a later answer has replaced already.
    @discardableResult
    func commit(_ changes: [EntityChange], _ ticket: CommitLine.Ticket) async -> Set<EntityKey> {
        await line.commit(changes, asOf: ticket) { [self] changes in
            do throws(StoreError) {
                try await store.commit(changes)
            } catch {
                _ = failed(error, "keep \(kind.name)")
            }
        }
    }
}

extension CacheMode {
    /// How the remote is asked: what the store takes for stale must not be answered from the cache of bytes below.
    func asked<Value>(whenKept kept: Snapshot<Value>.Kept?) -> CacheMode {
        self == .normal && kept != nil ? .reload : self
    }
}

extension ReadFailure {
    /// 404 and 410: there is no such entity any more (RFC 9110 §15.5.5, §15.5.11).
    var saysGone: Bool {
        guard isAnswer, let status = response?.status.code else { return false }
        return status == 404 || status == 410
    }
}
