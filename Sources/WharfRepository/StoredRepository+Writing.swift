public import WharfCore

// Straight to the service: each call returns when the service has decided, and throws when nobody knows. With an outbox it returns when the
// change is on the disk, and throws where it could not be put there.
extension StoredRepository: Repository {
    /// Lists that are observed are asked for anew when it is delivered, because any of them may have it.
    public func add(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await write(try stored.draft(model, isAddition: true), mode)
    }

    public func edit(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await write(try stored.draft(model, isAddition: false), mode)
    }

    public func delete(id: Model.ID, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await write(stored.draft(deleting: id), mode)
    }

    private func write(
        _ draft: StoredModels<Model>.Draft, _ mode: WriteMode
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        guard !models.isClosed else { throw .closed }
        if let journal = stored.journal {
            let change = try await stored.enqueue(draft, mode, in: journal)
            return WriteReceipt { [stored] in await stored.outcome(of: change, in: journal) }
        }
        let decided = try await stored.write(draft, mode) { [models] in models.isClosed }
        await settle(draft, decided)
        return WriteReceipt { decided.outcome }
    }

    private func settle(_ draft: StoredModels<Model>.Draft, _ decided: StoredModels<Model>.Decided) async {
        if let remembered = decided.remembered {
            // The service may have given what was added another id.
            models.settle(remembered, for: stored.id(remembered.value?.id ?? draft.id))
        }
        if case .delivered = decided.outcome { await makeListsStale(refreshing: draft.isAddition) }
    }

    /// A change may have moved a model out of a list, or into one.
    private func makeListsStale(refreshing: Bool) async {
        do throws(StoreError) {
            _ = try await stored.invalidate(.lists)
        } catch {
            _ = stored.failed(error, "make the lists of \(stored.kind.name) stale")
        }
        lists.makeStale { _, _ in true }
        // Who waits for a change does not wait for that.
        if refreshing {
            Task(executorPreference: lists.executor) { [lists] in await lists.refreshObserved { _, _, _ in true } }
        }
        pagedLists.makeStale(refreshing: refreshing)
    }
}

extension StoredRepository {
    /// What delivers this repository's changes, to be registered with its outbox; nil where it has none, or can't be written to.
    ///
    /// Its name and kind are `entity/` and the name of the repository's kind. Until it is registered changes wait.
    public var destination: (any Destination)? {
        guard stored.journal != nil, stored.remote?.write != nil else { return nil }
        // The outbox may be there longer than the repository.
        return EntityDestination(stored) { [weak self] in await self?.settle($0, $1) }
    }
}
