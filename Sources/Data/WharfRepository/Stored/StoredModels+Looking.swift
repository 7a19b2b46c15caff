internal import WharfCore
internal import WharfStorage

/// The result of a look at the store: a read of rows with their versions.
struct StoreRead<Value: Sendable>: Sendable {
    var kept: Snapshot<Value>.Kept?
    var failure: ReadFailure?
    /// How far the look has seen; nil if the store could not be read.
    var mark: ReadMark?
    /// The version of the key's own row, or of its removal.
    var version = StoreVersion.none

    /// The answer if no other source can be asked.
    var answer: MarkedAnswer<Value> {
        MarkedAnswer(
            Snapshot(kept: kept, error: kept == nil ? failure ?? .nothingKept : failure), mark: mark,
            version: mark.map { _ in version })
    }

    /// Returns the answer with an error.
    ///
    /// If the look has found nothing, the answer has the other value, which lies in no store.
    func answer(else other: Snapshot<Value>.Kept, error: ReadFailure?) -> MarkedAnswer<Value> {
        kept == nil
            ? MarkedAnswer(Snapshot(kept: other, error: error))
            : MarkedAnswer(Snapshot(kept: kept, error: error), mark: mark)
    }
}

extension MarkedAnswer {
    /// The look that gave this answer.
    ///
    /// nil if none did, or if the store could not be read.
    var look: StoreRead<Value>? {
        guard let mark, let version else { return nil }
        return StoreRead(kept: snapshot.kept, mark: mark, version: version)
    }
}

extension StoredModels {
    func look(_ key: EntityKey) async -> StoreRead<Model> { await look([key])[0] }

    /// Looks at several keys in one snapshot of the store.
    func look(_ keys: [EntityKey]) async -> [StoreRead<Model>] {
        do throws(StoreError) {
            // Before the first look: without the restored changes, a start would show rows without
            // the edits that wait.
            try await restoreWaiting()
            // Read before the rows: a change that ends in between is still shown, even if its row
            // was read without it. In the other order such a change would vanish for a moment.
            let changes = pending.read { state in keys.map { state.shown($0.id) } }
            let states = try await store.states(of: keys)
            return zip(keys, changes).map { key, changes in
                guard let state = states[key] else { return StoreRead(mark: mark(states, changes)) }
                return StoreRead(
                    kept: shown(state, key, over: changes), mark: mark(states, changes), version: state.version)
            }
        } catch {
            let what = keys.count == 1 ? "\(kind.name) \(keys[0].id)" : "\(keys.count) of \(kind.name)"
            let failure = failed(error, "read \(what)")
            return keys.map { _ in StoreRead(failure: failure) }
        }
    }

    func mark(_ states: EntityStates, _ changes: ShownChanges) -> ReadMark {
        ReadMark(store: states.versions[account] ?? .none, pending: changes.number)
    }

    /// Returns the model of a row.
    ///
    /// A row that can't be decoded is reported as an incident, and counts as nothing kept (nil).
    func decoded(_ row: EntityRow) -> Snapshot<Model>.Kept? {
        do {
            return Snapshot<Model>.Kept(
                value: try kind.model(row), source: .store, asOf: row.asOf, staleAt: row.staleAt)
        } catch {
            report(
                Incident(
                    .entityUndecodable,
                    message: "\(kind.name) \(row.key.id) (schema \(row.schema)) can't be decoded: \(error)",
                    cause: error))
            return nil
        }
    }
}
