internal import WharfCore

/// The result of a look at the store: a read of rows with their versions.
struct Look<Value: Sendable>: Sendable {
    var kept: Snapshot<Value>.Kept?
    var failure: ReadFailure?
    /// How far the look has seen; nil if the store could not be read.
    var mark: ReadMark?
    /// The version of the key's own row, or of its removal.
    var version = StoreVersion.none

    /// The answer if no other source can be asked.
    var answer: Answer<Value> {
        Answer(
            Snapshot(kept: kept, error: kept == nil ? failure ?? .nothingKept : failure), mark: mark,
            version: mark.map { _ in version })
    }

    /// Returns the answer with an error.
    ///
    /// If the look has found nothing, the answer has the other value, which lies in no store.
    func answer(else other: Snapshot<Value>.Kept, error: ReadFailure?) -> Answer<Value> {
        kept == nil
            ? Answer(Snapshot(kept: other, error: error)) : Answer(Snapshot(kept: kept, error: error), mark: mark)
    }
}

extension Answer {
    /// The look that gave this answer.
    ///
    /// nil if none did, or if the store could not be read.
    var look: Look<Value>? {
        guard let mark, let version else { return nil }
        return Look(kept: snapshot.kept, mark: mark, version: version)
    }
}

extension StoredModels {
    func look(_ key: EntityKey) async -> Look<Model> { await look([key])[0] }

    /// Looks at several keys in one snapshot of the store.
    func look(_ keys: [EntityKey]) async -> [Look<Model>] {
        do throws(StoreError) {
            try await restoreWaiting()
            // Read before the rows: a change that ends in between is still shown, even if its row
            // was read without it. In the other order such a change would vanish for a moment.
            let changes = pending.read { state in keys.map { state.shown($0.id) } }
            let states = try await store.states(of: keys)
            return zip(keys, changes).map { key, changes in
                guard let state = states[key] else { return Look(mark: mark(states, changes)) }
                return Look(
                    kept: shown(state, key, over: changes), mark: mark(states, changes), version: state.version)
            }
        } catch {
            let what = keys.count == 1 ? "\(kind.name) \(keys[0].id)" : "\(keys.count) of \(kind.name)"
            let failure = failed(error, "read \(what)")
            return keys.map { _ in Look(failure: failure) }
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
