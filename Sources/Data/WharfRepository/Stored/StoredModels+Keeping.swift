internal import WharfCore
internal import WharfStorage

extension StoredModels {
    /// Commits an answer of the remote source, and returns it as it is shown.
    ///
    /// If the store has something newer, that is returned in its place.
    func keep(_ kept: Snapshot<Model>.Kept, _ request: Request<Model>) async -> MarkedAnswer<Model> {
        let kept = coding.lasting(kept)
        guard let row = coding.row(kept) else { return MarkedAnswer(Snapshot(kept: kept)) }
        // Before the commit: the store may tell of it before `commit` returns, and observers would
        // look at it twice.
        request.willCommit()
        let incoming = IncomingValue(basis: request.basis, request: request.number, asOf: row.asOf)
        var answer = await commit(kept, row, incoming, request.look.mark.map { _ in request.look.version })
        answer.hasOpenCommit = true
        return answer
    }

    /// Commits a model that came without a request.
    ///
    /// A model in the store stays if its `asOf` is later.
    func receive(_ pushed: Snapshot<Model>.Kept) async -> MarkedAnswer<Model> {
        let pushed = coding.lasting(pushed)
        guard let row = coding.row(pushed) else { return MarkedAnswer(Snapshot(kept: pushed)) }
        return await commit(pushed, row, IncomingValue(asOf: pushed.asOf), nil)
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
            committed = try await commit(
                [row], [row.key: incoming], version.map { [row.key: $0] } ?? [:], isLooked: version != nil)
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

    /// The outcome of a commit of rows.
    struct RowCommit: Sendable {
        /// The rows that are in the store now.
        var accepted: Set<EntityKey> = []
        /// The state of each key now, as far as the commit knows it.
        var states: [EntityKey: EntityState] = [:]
        /// The version of the commit; none if nothing was committed.
        var version = StoreVersion.none
    }

    /// Commits rows by compare-and-set.
    ///
    /// A row is left out if ``resolve(_:_:)`` prefers the current one.
    ///
    /// - Parameters:
    ///   - incoming: for each row that is compared. A row without one replaces any current row.
    ///   - versions: the versions of the keys at the look.
    ///   - isLooked: whether the versions are known; otherwise the keys are looked at first.
    func commit(
        _ rows: [EntityRow], _ incoming: [EntityKey: IncomingValue], _ versions: [EntityKey: StoreVersion],
        isLooked: Bool
    ) async throws(StoreError) -> RowCommit {
        var states: [EntityKey: EntityState] = [:]
        if !isLooked {
            states = try await uncancelled { store throws(StoreError) in try await store.states(of: rows.map(\.key)) }
                .states
        }
        var versions = versions
        while true {
            if queue.isEnded { throw .ended }
            var put: [EntityRow] = []
            for row in rows {
                let state = states[row.key]
                // The refusal has brought the present state, so the next attempt expects that one.
                if let state { versions[row.key] = state.version }
                guard let incoming = incoming[row.key] else {
                    put.append(row)
                    continue
                }
                if let state, resolution(state, of: row.key, incoming) == .current {
                    continue
                }
                put.append(prepared(row, incoming, over: state))
            }
            let keys = Set(put.map(\.key))
            var committed = RowCommit(accepted: keys, states: states.filter { !keys.contains($0.key) })
            // Each row is older than the store's. There is nothing to commit.
            if put.isEmpty { return committed }
            let (changes, expected) = (put.map(EntityChange.put), versions.filter { keys.contains($0.key) })
            let outcome = try await uncancelled { store throws(StoreError) in
                try await store.commit(changes, expecting: expected)
            }
            switch outcome {
            case .refused(let current): states.merge(current) { $1 }
            case .committed(let numbers):
                committed.version = numbers[account] ?? .none
                for row in put { committed.states[row.key] = EntityState(row: row, version: committed.version) }
                for request in Set(incoming.values.compactMap(\.request)) {
                    // Noted when the commit is visible. A request that resolves against these rows
                    // before this line falls back to versions and times.
                    requests.note(keys, at: committed.version, answering: request)
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
            let (version, isOvertaken) = try await remove(key, incoming, look.version)
            let mark = ReadMark(store: version, pending: look.mark?.pending ?? 0)
            return MarkedAnswer(answer, mark: mark, isOvertaken: isOvertaken)
        } catch {
            _ = coding.failed(error, "remove \(kind.name) \(key.id)")
            return MarkedAnswer(answer)
        }
    }

    private func remove(
        _ key: EntityKey, _ incoming: IncomingValue, _ version: StoreVersion
    ) async throws(StoreError) -> (StoreVersion, isOvertaken: Bool) {
        var version = version
        while true {
            if queue.isEnded { throw .ended }
            let expected = version
            let outcome = try await uncancelled { store throws(StoreError) in
                try await store.commit([.remove(key)], expecting: [key: expected])
            }
            switch outcome {
            case .committed(let numbers): return (numbers[account] ?? version, false)
            case .refused(let current):
                guard let state = current[key] else { return (version, true) }
                // Another writer has removed it first.
                if state.row == nil { return (state.version, false) }
                if resolution(state, of: key, incoming) == .current { return (state.version, true) }
                version = state.version
            }
        }
    }
}
