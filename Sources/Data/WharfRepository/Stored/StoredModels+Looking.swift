internal import WharfCore
internal import WharfPrimitives
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
    /// Reads the rows of the models that a query finds, without the pending changes.
    func rows(_ query: RowQuery = RowQuery()) async throws(StoreError) -> EntityList {
        try await store.states(query, of: account, kind: kind.name)
    }

    /// Reads the rows of all lists and pages.
    func listRows() async throws(StoreError) -> [EntityState] {
        try await store.states(RowQuery(), of: account, kind: ListRow.kind(of: kind.name)).states
    }

    func look(_ key: EntityKey) async -> StoreRead<Model> { await look([key])[0] }

    /// Looks at several keys in one snapshot of the store.
    func look(_ keys: [EntityKey]) async -> [StoreRead<Model>] {
        do throws(StoreError) {
            // Before the first look: without the restored changes, a start would show rows without
            // the edits that wait.
            try await journal?.restore()
            // Read before the rows: a change that ends in between is still shown, even if its row
            // was read without it. In the other order such a change would vanish for a moment.
            let changes = pending.read { state in keys.map { state.shown($0.id) } }
            let states = try await store.states(of: keys)
            return zip(keys, changes).map { key, changes in
                let mark = ReadMark(store: states.versions[account] ?? .none, pending: changes.number)
                guard let state = states[key] else { return StoreRead(mark: mark) }
                return StoreRead(kept: coding.shown(state, key, over: changes), mark: mark, version: state.version)
            }
        } catch {
            let what = keys.count == 1 ? "\(kind.name) \(keys[0].id)" : "\(keys.count) of \(kind.name)"
            let failure = coding.failed(error, "read \(what)")
            return keys.map { _ in StoreRead(failure: failure) }
        }
    }

    /// - Parameter timer: the clock of the pauses before a failed look is repeated.
    func coherence(
        _ hot: HotCache, _ changes: EntityFeed, _ timer: any Clock<Duration>
    ) -> Coherence<ModelKey<Model.ID>, Model> {
        Coherence(
            store: [changes], pending: pending.changes,
            touched: { changed, _ in
                var touched: [ModelKey<Model.ID>: StoreVersion] = [:]
                for (key, version) in changed { touched[.stored(UTF8Key(key.id), nil)] = version }
                return touched
            },
            look: { [self] id in await look(coding.key(id.text)).answer },
            timer: timer,
            looks: { [self] ids in await look(ids.map { coding.key($0.text) }).map(\.answer) },
            hot: (hot, { $0.utf8 })
        )
    }
}
