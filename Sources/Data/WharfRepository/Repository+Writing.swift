public import WharfCore
internal import WharfPrimitives

/// Changes of models.
///
/// Without an outbox a call returns when the service has decided, and throws if its decision is
/// unknown. With an outbox it returns when the change is on the disk, and throws if it could not be
/// put there.
extension Repository: ReadWriteRepository {
    /// Adds a model.
    ///
    /// When the addition is delivered, observed lists are refreshed, because any may have the
    /// model.
    @discardableResult
    public func add(_ model: Model, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        let stored = try writable
        return try await write(.draft(try stored.coding.draft(model, isAddition: true)), mode, in: stored)
    }

    /// Edits a model as it is when the change is made.
    ///
    /// ```swift
    /// try await notes.edit(id) { $0.isDone = true }
    /// ```
    ///
    /// The edit is made on the model in the store with its pending changes, so that nothing can
    /// come between a read and the edit. It is sent with the entity tag of that model (`If-Match`,
    /// RFC 9110 §13.1.1) if the service has sent one.
    ///
    /// - Parameter change: runs once, after the changes of the model that were made before.
    /// - Throws: ``WharfCore/WriteFailure/Code/notFound`` if the store does not have the model, or
    ///   only from before a change whose result came with `no-store`.
    ///   ``WharfCore/WriteFailure/Code/invalid`` if `change` gives it another id.
    @discardableResult
    public func edit(
        _ id: Model.ID, _ mode: WriteMode, _ change: @escaping @Sendable (inout Model) -> Void
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        try await write(.edit(id, change), mode, in: try writable)
    }

    /// Edits a model as it was shown, such as in a form.
    ///
    /// ```swift
    /// var changed = shown
    /// changed.title = titleField.text
    /// let receipt = try await notes.edit(changed, basedOn: shown)
    /// ```
    ///
    /// Only the members that differ between `changed` and `shown` are changed. Other members keep
    /// the changes of other clients since `shown` was read. If another client has changed one of
    /// the same members, nothing is written: the outcome is
    /// ``WharfCore/WriteOutcome/conflict(theirs:)``.
    ///
    /// If an earlier edit of this app is still on its way, this one is made on top of it. After the
    /// delivery of the earlier one, its result counts as any other change. So a form that saves
    /// several times bases each edit on `changed` of the one before.
    ///
    /// The codec tells members apart, as the codec for JSON does for those of the object at the
    /// top. With a codec that does not, any change of another client is a conflict.
    ///
    /// - Throws: ``WharfCore/WriteFailure/Code/invalid`` if `changed` has another id than `shown`.
    @discardableResult
    public func edit(
        _ changed: Model, basedOn shown: Model, _ mode: WriteMode
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        let stored = try writable
        let (draft, base) = (
            try stored.coding.draft(changed, isAddition: false), try stored.coding.draft(shown, isAddition: false)
        )
        guard draft.key == base.key else { throw .changedID(stored.coding.kind.name, base.key.id, draft.key.id) }
        return try await write(.revision(draft, of: base), mode, in: stored)
    }

    @discardableResult
    public func delete(id: Model.ID, _ mode: WriteMode) async throws(WriteFailure) -> WriteReceipt<Model> {
        let stored = try writable
        return try await write(.draft(stored.coding.draft(deleting: id)), mode, in: stored)
    }

    var writable: StoredParts<Model> {
        get throws(WriteFailure) {
            guard let stored else { throw .noStore }
            return stored
        }
    }

    private func write(
        _ requested: ChangeRequest<Model>, _ mode: WriteMode, in stored: StoredParts<Model>
    ) async throws(WriteFailure) -> WriteReceipt<Model> {
        guard !models.isClosed else { throw .closed }
        guard let sender = sender(stored) else { throw .noWriting }
        // The receipt waits for the outbox. The call itself returns when the change is on the disk.
        if let writer = stored.outbox?.writer {
            let change = try await writer.enqueue(requested, mode)
            return WriteReceipt { await writer.outcome(of: change) }
        }
        // Asked again when the change's turn comes, because the stack may be closed while it waits.
        let isClosed = { @Sendable [models] in models.isClosed }
        let (draft, decided) = try await stored.writer.write(requested, mode, by: sender, isClosed: isClosed)
        await settle(draft, decided, in: stored)
        return WriteReceipt { decided.outcome }
    }

    /// Returns the sender of changes; nil if the source can't be written to.
    private func sender(_ stored: StoredParts<Model>) -> ChangeSender<Model>? {
        // It puts results into memory, and does not hold the repository: the outbox may live
        // longer.
        ChangeSender(stored.models, stored.invalidation, to: stored.remote) { [weak models, text] id, result in
            models?.settle(result, for: .stored(UTF8Key(text(id)), id))
        }
    }

    private func settle(
        _ draft: ChangeDraft<Model>, _ decided: WriteDecision<Model>, in stored: StoredParts<Model>
    ) async {
        guard case .delivered = decided.outcome else { return }
        // All lists: a change may have moved a model out of a list, or into one.
        do throws(StoreError) {
            _ = try await stored.invalidation.invalidate(.lists)
        } catch {
            _ = stored.coding.failed(error, "make the lists of \(stored.coding.kind.name) stale")
        }
        // Values that lie in no store are out of the reach of the commit above.
        lists.makeStale { _, _ in true }
        pagedLists.makeStale()
        // The caller waits for its change, not for the lists.
        if draft.isAddition {
            lists.refreshLater { [lists] in await lists.refreshObserved { _, _, _ in true } }
            pagedLists.refreshLater()
        }
    }
}

extension Repository {
    /// The destination that delivers this repository's changes.
    ///
    /// Register it with the outbox. Its name and kind are `entity/` and the name of the
    /// repository's kind. Changes wait until it is registered. nil without an outbox, or if the
    /// source can't be written to.
    public var destination: (any Destination)? {
        guard let stored, let journal = stored.journal, let sender = sender(stored) else { return nil }
        // The outbox holds this destination for as long as it is open, and must not keep the
        // repository alive.
        return EntityDestination(journal, sender) { [weak self] in await self?.settle($0, $1, in: stored) }
    }
}

extension WriteFailure {
    static let noStore = WriteFailure(
        .unsupported,
        message:
            "this repository has no store, so it can't keep a change; make it with an entity kind and an entity store")
}
