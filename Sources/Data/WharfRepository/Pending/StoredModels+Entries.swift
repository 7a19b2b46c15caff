internal import WharfCore

// Conversions between changes, entries and pending changes, with an outbox and without.
extension StoredModels {
    /// A change that is made, and not in the journal yet.
    struct Made: Sendable {
        let draft: Draft
        let entry: OutboxEntry
    }

    /// Makes a requested change on the model as it is now.
    ///
    /// Call it in a turn of the queue. Otherwise a delivery could end a change between the look at
    /// the row and the look at the pending changes. The new change would then be made without that
    /// change.
    func make(_ requested: Requested, _ mode: WriteMode) async throws(StoreError) -> Result<Made, WriteFailure> {
        switch requested {
        case .draft(let draft):
            let draft = if let journal { try await identified(draft, in: journal) } else { draft }
            let row = try await store.row(draft.key)
            let ground = ground(row, draft.key, base: base(row, draft.key))
            return .success(Made(draft: draft, entry: entry(draft, mode, on: ground)))
        case .edit(let id, let change):
            let key = kind.key(try await current(id), of: account)
            let row = try await store.row(key)
            // Changes that are not shown yet count too: this one is sent after them.
            let layers = pending.read { $0.layers(key.id) }
            if row?.validator == ValidatorChain.unseen { return .failure(.outdatedModel(kind.name, key.id)) }
            guard let (known, _) = overlaid(row, key, layers), var model = decoded(known)?.value else {
                return .failure(.unknownModel(kind.name, key.id))
            }
            let base = bytes(known)
            change(&model)
            do throws(WriteFailure) {
                guard kind.text(model.id) == key.id else { throw .changedID(kind.name, key.id, kind.text(model.id)) }
                let draft = try draft(model, isAddition: false)
                return .success(Made(draft: draft, entry: entry(draft, mode, on: ground(row, key, base: base))))
            } catch {
                return .failure(error)
            }
        case .revision(let draft, let shown):
            return .success(try await makeRevision(draft, of: shown, mode))
        }
    }

    /// Returns the ground of a change: the model as it is now, with its pending changes.
    func ground(_ row: EntityRow?, _ key: EntityKey, base: [UInt8]?) -> Ground {
        let before = pending.open(key.id)
        let known = before.map(\.content.name)
        // A change on top of another one has the fields of that one too. With a later entity tag,
        // it would overwrite the very model for which the service refuses the other change.
        let isUnknown = before.isEmpty && base != nil && row?.validator == nil && kind.readsBeforeEdits
        return Ground(
            base: base,
            validator: isUnknown ? ValidatorChain.unknown : before.last?.validator ?? row?.validator,
            behind: journal == nil ? known : known.suffix(WaitingChange.mostBehind))
    }

    /// Returns the entry of a change. Without an outbox it goes into no journal.
    func entry(_ draft: Draft, _ mode: WriteMode, on ground: Ground) -> OutboxEntry {
        let id = journal?.outbox.newID() ?? pending.newID()
        let before = pending.open(draft.key.id)
        let change = WaitingChange(
            draft.model == nil ? .delete : draft.isAddition ? .add : .edit, id: draft.key.id,
            schema: kind.codec.schema, isShown: mode == .optimistic, validator: ground.validator,
            chain: before.last?.content.chain ?? id.text, behind: ground.behind, bytes: draft.bytes ?? [])
        // A change of a model that the service does not have yet depends on the addition. Other
        // changes only keep the order of their lane: a refused one takes no later one with it.
        let additions = before.filter(\.content.isAddition).map(\.entry)
        return OutboxEntry(
            id: id, account: account, lane: before.last?.lane ?? "\(route.kind)/\(draft.key.id)",
            kind: WaitingChange.kind(of: kind.name), payload: change.payload, base: ground.base,
            targets: [.init(route.destination)], dependencies: Set(additions), enqueuedAt: clock.now())
    }

    /// Returns the pending change of an entry.
    func change(
        _ entry: OutboxEntry, _ phase: PendingChange<Model>.Phase = .waiting, _ failure: DeliveryFailure? = nil,
        at place: PendingChange<Model>.Place? = nil
    ) -> PendingChange<Model> {
        let change = WaitingChange(entry.payload)
        // A change that can't be read is not shown. Its delivery reports that.
        return PendingChange(
            entry, key: EntityKey(account: account, kind: kind.name, id: change?.id ?? entry.id.text),
            id: id(of: entry), content(of: entry, change), phase, failure, at: place, isLocal: journal == nil)
    }

    func content(of entry: OutboxEntry, _ change: WaitingChange?) -> PendingChange<Model>.Content {
        .init(
            name: WaitingChange.Name(entry.id, change), chain: change?.chain ?? entry.id.text,
            behind: change?.behind ?? [], validator: change?.validator, isAddition: change?.operation == .add,
            isShown: change?.isShown ?? false, overlay: change.flatMap { overlay(of: $0, on: entry.base) })
    }

    private func overlay(of change: WaitingChange, on base: [UInt8]?) -> Overlay? {
        if change.operation == .delete { return .deletion }
        // An addition is made on nothing, even if it was an edit until its model was deleted.
        return Overlay(
            from: change.operation == .add ? nil : base, to: change.bytes, schema: change.schema, kind.codec.members)
    }

    /// Returns the id of an entry's model; nil if it can't be read.
    private func id(of entry: OutboxEntry) -> Model.ID? {
        do throws(DeliveryFailure) { return try draft(entry).id } catch { return nil }
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
