internal import WharfCore
internal import WharfStorage

/// Makes a requested change on the model as it is now, with an outbox and without.
///
/// Call it in a turn of the queue. Otherwise a delivery could end a change between the look at the
/// row and the look at the pending changes. The new change would then be made without that change.
struct ChangeMaker<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let models: StoredModels<Model>

    var coding: ModelCoding<Model> { models.coding }
    private var kind: EntityKind<Model> { models.kind }
    private var pending: PendingChanges<Model> { models.pending }
    private var journal: PendingJournal<Model>? { models.journal }

    /// A change that is made, and not in the journal yet.
    struct NewChange: Sendable {
        let draft: ChangeDraft<Model>
        let entry: OutboxEntry
    }

    /// Makes a requested change.
    func make(
        _ requested: ChangeRequest<Model>, _ mode: WriteMode
    ) async throws(StoreError) -> Result<NewChange, WriteFailure> {
        switch requested {
        case .draft(let draft):
            let draft = try await journal?.identified(draft) ?? draft
            let row = try await models.store.row(draft.key)
            let base = coding.bytes(row, draft.key, under: pending.shown(draft.key.id).layers)
            return .success(change(draft, mode, on: base, row))
        case .edit(let id, let change):
            let key = kind.key(try await journal?.current(id) ?? id, of: coding.account)
            let row = try await models.store.row(key)
            // Changes that are not shown yet count too: this one is sent after them.
            let layers = pending.read { $0.layers(key.id) }
            // The row is from before a change whose result was not stored. An edit on it would undo
            // that change.
            if row?.validator == ValidatorChain.unseen { return .failure(.outdatedModel(kind.name, key.id)) }
            guard let (known, _) = coding.overlaid(row, key, layers), var model = coding.decoded(known)?.value else {
                return .failure(.unknownModel(kind.name, key.id))
            }
            let base = coding.bytes(known)
            // The caller's code runs outside of all locks, in the turn of the queue.
            change(&model)
            guard kind.text(model.id) == key.id else {
                return .failure(.changedID(kind.name, key.id, kind.text(model.id)))
            }
            let draft = Result { () throws(WriteFailure) in try coding.draft(model, isAddition: false) }
            return draft.map { self.change($0, mode, on: base, row) }
        case .revision(let draft, let shown):
            return .success(try await makeRevision(draft, of: shown, mode))
        }
    }

    /// Returns a change with its entry. Without an outbox the entry goes into no journal.
    ///
    /// - Parameters:
    ///   - base: the bytes of the model that the change is made on; nil if they are not known.
    ///   - row: the row of the model.
    ///   - isFormer: whether the base may differ from the service's present model.
    private func change(
        _ draft: ChangeDraft<Model>, _ mode: WriteMode, on base: [UInt8]?, _ row: EntityRow?, isFormer: Bool = false
    ) -> NewChange {
        let id = journal?.outbox.newID() ?? pending.newID()
        let before = pending.open(draft.key.id)
        var change = WaitingChange(
            draft.operation, id: draft.key.id, schema: kind.codec.schema, isShown: mode == .optimistic,
            chain: before.last?.content.chain ?? id.text, bytes: draft.bytes ?? [])
        if isFormer {
            change.validator = ValidatorChain.unseen
        } else {
            // A change on top of another one has the fields of that one too. With a later entity
            // tag, it would overwrite the very model for which the service refuses the other
            // change. Nothing protects an untagged edit at the service, so it is compared before it
            // is sent.
            let isUnknown = before.isEmpty && base != nil && row?.validator == nil && kind.readsBeforeEdits
            change.validator = isUnknown ? ValidatorChain.unknown : before.last?.validator ?? row?.validator
            let known = before.map(\.content.name)
            change.behind = journal == nil ? known : known.suffix(WaitingChange.mostBehind)
        }
        // A change of a model that the service does not have yet depends on the addition. Other
        // changes only keep the order of their lane: a refused one takes no later one with it.
        let additions = before.filter(\.content.isAddition).map(\.entry)
        var entry = OutboxEntry(
            id: id, lane: before.last?.lane ?? "\(coding.route.kind)/\(draft.key.id)",
            kind: WaitingChange.kind(of: kind.name), payload: change.payload,
            targets: [.init(coding.route.destination)], enqueuedAt: models.clock.now())
        entry.account = coding.account
        entry.base = base
        entry.dependencies = Set(additions)
        return NewChange(draft: draft, entry: entry)
    }

    // MARK: Edits of a model as it was shown, such as in a form

    /// Makes an edit of a model as it was shown.
    ///
    /// | the model now                                 | the edit is made on |
    /// |-----------------------------------------------|---------------------|
    /// | as shown                                      | the model now       |
    /// | as shown, with later changes of this app      | the model now       |
    /// | changed by another client in other members    | the model now       |
    /// | changed by another client in a member of both | the model as shown  |
    /// | not in the store                              | the model as shown  |
    ///
    /// An edit on the model as shown is compared with the service's model before it is sent. If
    /// pending changes of this app set the same member, the last call wins.
    private func makeRevision(
        _ draft: ChangeDraft<Model>, of shown: ChangeDraft<Model>, _ mode: WriteMode
    ) async throws(StoreError) -> NewChange {
        var (draft, shown) = (draft, shown)
        if let journal {
            // The model may have been shown under a temporary id.
            draft = try await journal.identified(draft)
            shown = try await journal.identified(shown)
        }
        let (base, edited) = (shown.bytes ?? [], draft.bytes ?? [])
        let edit = coding.overlay(from: base, to: edited)
        let row = try await models.store.row(draft.key)
        guard let now = current(row, draft.key, for: edit, of: base), let revised = coding.revised(now, by: edit) else {
            return change(draft, mode, on: base, row, isFormer: true)
        }
        return change(revised, mode, on: now, row)
    }

    /// Returns the bytes of the model with its pending changes.
    ///
    /// nil if an edit of the model as it was shown can't be made on them.
    private func current(_ row: EntityRow?, _ key: EntityKey, for edit: Overlay, of shown: [UInt8]) -> [UInt8]? {
        // The row of an outdated model is older than the model that was shown.
        if row?.validator == ValidatorChain.unseen { return nil }
        // Changes that are not shown yet count too: this one is sent after them.
        let layers = pending.read { $0.layers(key.id) }
        // The form may have shown any state between two changes of this app. Later ones of the app
        // are no conflict.
        let isOwn = layers.indices.contains { count in
            coding.bytes(row, key, under: Array(layers[...count])).map { coding.isSame($0, shown) } ?? false
        }
        let now = coding.bytes(row, key, under: layers)
        if isOwn { return now }
        guard let stored = row.flatMap(coding.bytes) else { return nil }
        let theirs = coding.overlay(from: shown, to: stored)
        return coding.isSame(stored, shown) || edit.isIndependent(of: theirs) ? now : nil
    }
}

extension WriteFailure {
    fileprivate static func unknownModel(_ kind: String, _ id: String) -> WriteFailure {
        WriteFailure(
            .notFound,
            message: "there is no \(kind) \(id) in the store to make the change on; read it first, or add it")
    }

    fileprivate static func outdatedModel(_ kind: String, _ id: String) -> WriteFailure {
        WriteFailure(
            .notFound,
            message:
                "the store has \(kind) \(id) only as it was before the last change, whose result must not be stored "
                + "(Cache-Control: no-store); read it from the network first, or base the edit on what was shown")
    }

    static func changedID(_ kind: String, _ id: String, _ other: String) -> WriteFailure {
        WriteFailure(
            .invalid, message: "an edit can't give \(kind) \(id) the id \(other); add another one and delete this")
    }
}
