internal import WharfCore
internal import WharfStorage

extension StoredModels {
    /// Commits an answer of the remote source, and returns it as it is shown.
    ///
    /// If the store has something newer, that is returned in its place.
    ///
    /// - Parameter request: nil for a model that came without a request. A model in the store stays
    ///   if its `asOf` is later.
    func keep(_ kept: Snapshot<Model>.Kept, _ request: Request<Model>?) async -> MarkedAnswer<Model> {
        let kept = coding.lasting(kept)
        guard let row = coding.row(kept, validator: coding.entityTag(kept)) else {
            return MarkedAnswer(Snapshot(kept: kept))
        }
        // Before the commit: the store may tell of it before `commit` returns, and observers would
        // look at it twice.
        request?.willCommit()
        let incoming = IncomingValue(basis: request?.basis, request: request?.number, asOf: row.asOf)
        let look = request?.look
        var answer = await commit(kept, row, incoming, look?.mark == nil ? nil : look?.version)
        answer.hasOpenCommit = request != nil
        return answer
    }

    /// - Parameter version: the version of the key at the look; nil if it was not looked at.
    private func commit(
        _ kept: Snapshot<Model>.Kept, _ row: EntityRow, _ incoming: IncomingValue, _ version: StoreVersion?
    ) async -> MarkedAnswer<Model> {
        // Read before the commit, as a look does: a change that ends meanwhile is still shown over
        // the row.
        let changes = pending.shown(row.key.id)
        let committed: RowCommit
        do throws(StoreError) {
            committed = try await commit([.put(row)], incoming, expecting: version.map { [row.key: $0] })
        } catch {
            _ = coding.failed(error, "keep \(kind.name)")
            return MarkedAnswer(Snapshot(kept: kept))
        }
        guard let state = committed.states[row.key] else { return MarkedAnswer(Snapshot(kept: kept)) }
        // A refused row has its own version. A committed one has that of the commit.
        let mark = ReadMark(store: max(state.version, committed.version), pending: changes.number)
        let isOvertaken = !committed.accepted.contains(row.key)
        guard let shown = coding.shown(state, row.key, over: changes) else {
            return MarkedAnswer(Snapshot(kept: nil, error: .nothingKept), mark: mark, isOvertaken: isOvertaken)
        }
        // The newer row is shown in place of the answer.
        if isOvertaken { return MarkedAnswer(Snapshot(kept: shown), mark: mark) }
        let own = changes.isEmpty ? kept.value : shown.value
        return MarkedAnswer(
            Snapshot(
                kept: kept.with(own, staleAt: .some(shown.staleAt)).pending(shown.isPending)
                    .revised(shown.revision)),
            mark: mark)
    }

    /// The outcome of a commit of changes.
    struct RowCommit: Sendable {
        /// The keys of the changes that are in the store now.
        var accepted: Set<EntityKey> = []
        /// The state of each key now, as far as the commit knows it.
        var states: [EntityKey: EntityState] = [:]
        /// The version of the commit; none if nothing was committed.
        var version = StoreVersion.none
    }

    /// Commits rows and removals by compare-and-set.
    ///
    /// A change is left out if ``RowChoice/resolve(_:_:)`` prefers the current row. So is a removal
    /// if another writer has removed the row first.
    ///
    /// - Parameter versions: the versions of the keys at the look; nil to look at the keys first.
    func commit(
        _ changes: [EntityChange], _ incoming: IncomingValue, expecting versions: [EntityKey: StoreVersion]?
    ) async throws(StoreError) -> RowCommit {
        var states: [EntityKey: EntityState] = [:]
        if versions == nil {
            let keys = changes.map(\.key)
            states = try await uncancelled { store throws(StoreError) in try await store.states(of: keys) }.states
        }
        var versions = versions ?? [:]
        while true {
            if queue.isEnded { throw .ended }
            var accepted: [EntityChange] = []
            for change in changes {
                let state = states[change.key]
                // The refusal has brought the present state, so the next attempt expects that one.
                if let state { versions[change.key] = state.version }
                if let state, resolution(state, of: change.key, incoming) == .current { continue }
                switch change {
                case .put(let row): accepted.append(.put(prepared(row, incoming, over: state)))
                case .remove: if state == nil || state?.row != nil { accepted.append(change) }
                }
            }
            let keys = Set(accepted.map(\.key))
            var committed = RowCommit(accepted: keys, states: states.filter { !keys.contains($0.key) })
            // Each change is older than the store's state. There is nothing to commit.
            if accepted.isEmpty { return committed }
            let (changes, expected) = (accepted, versions.filter { keys.contains($0.key) })
            let outcome = try await uncancelled { store throws(StoreError) in
                try await store.commit(changes, expecting: expected)
            }
            switch outcome {
            case .refused(let current):
                // A refusal without a key of this commit would be repeated without end.
                guard current.keys.contains(where: keys.contains) else { return RowCommit(states: states) }
                states.merge(current) { $1 }
            case .committed(let numbers):
                committed.version = numbers[account] ?? .none
                for change in accepted {
                    let row: EntityRow? = if case .put(let row) = change { row } else { nil }
                    committed.states[change.key] = EntityState(row: row, version: committed.version)
                }
                // Noted when the commit is visible. A request that resolves against these rows
                // before this line falls back to versions and times.
                if let request = incoming.request {
                    let rows = keys.filter { committed.states[$0]?.row != nil }
                    requests.note(rows, at: committed.version, answering: request)
                }
                return committed
            }
        }
    }

    func resolution(_ state: EntityState, of key: EntityKey, _ incoming: IncomingValue) -> RowChoice {
        // A row that this version of the app can't read counts as no value. Otherwise it could keep
        // a readable answer out of the store.
        if let row = state.row, !coding.isReadable(row) { return .incoming }
        return .resolve(StoredValue(state, request: requests.request(of: key, at: state.version)), incoming)
    }

    /// Returns a row with its basis.
    ///
    /// The row is stale if it was made stale since its request began.
    func prepared(_ row: EntityRow, _ incoming: IncomingValue, over state: EntityState?) -> EntityRow {
        var row = row
        row.basis = incoming.basis
        // An answer with a list has no entity tags of the members. The known tag of an unchanged
        // member is still right.
        if row.validator == nil, let known = state?.row, known.schema == row.schema, known.bytes == row.bytes {
            row.validator = known.validator
        }
        guard let request = incoming.request else { return row }
        let wasMadeStale =
            // Another process has invalidated the row since this request began. The answer may be
            // from before that.
            state.map { $0.row?.staleAt == .distantPast && $0.version > (incoming.basis ?? StoreVersion.none) } ?? false
        if wasMadeStale || requests.isInvalidated(row, since: request) { row.staleAt = .distantPast }
        return row
    }

    /// Runs a step to its end, even if the caller is cancelled.
    ///
    /// An answer from the network is worth keeping although its caller has left.
    private func uncancelled<Value: Sendable>(
        _ body: @escaping @Sendable (any EntityStore) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) {
            return try await body(store)
        } catch {
            guard error.code == .cancelled else { throw error }
            return try await queue.shielded { [store] () throws(StoreError) in try await body(store) }
        }
    }

    // MARK: Removing

    /// Removes a key that the origin says is gone.
    func remove<Value>(
        _ key: EntityKey, _ number: UInt64, _ look: StoreRead<Value>, _ answer: Snapshot<Value>
    ) async -> MarkedAnswer<Value> {
        do throws(StoreError) {
            let incoming = IncomingValue(
                basis: look.mark?.store ?? StoreVersion.none, request: number, asOf: clock.now())
            let committed = try await commit([.remove(key)], incoming, expecting: [key: look.version])
            let state = committed.states[key]
            let mark = ReadMark(store: max(state?.version ?? .none, look.version), pending: look.mark?.pending ?? 0)
            return MarkedAnswer(answer, mark: mark, isOvertaken: state?.row != nil)
        } catch {
            _ = coding.failed(error, "remove \(kind.name) \(key.id)")
            return MarkedAnswer(answer)
        }
    }
}
