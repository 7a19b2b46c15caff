internal import WharfCore

// Changes as entries, and entries as pending changes: the same with an outbox and without.
extension StoredModels {
    /// A change as it goes into the journal, made on what is shown now. Without an outbox it goes into none.
    func entry(_ draft: Draft, _ mode: WriteMode) async throws(StoreError) -> OutboxEntry {
        let row = try await store.row(draft.key)
        let id = journal?.outbox.newID() ?? pending.newID()
        let before = pending.open(draft.key.id)
        let known = before.map(\.content.name)
        let change = WaitingChange(
            draft.model == nil ? .delete : draft.isAddition ? .add : .edit, id: draft.key.id,
            schema: kind.codec.schema, isShown: mode == .optimistic, validator: row?.validator,
            chain: before.last?.content.chain ?? id.text,
            behind: journal == nil ? known : known.suffix(WaitingChange.mostBehind), bytes: draft.bytes ?? [])
        // A change of a model that the service does not have yet depends on the addition. Others come in the order of their
        // lane only: one that is refused takes no later one with it.
        let additions = before.filter(\.content.isAddition).map(\.entry)
        return OutboxEntry(
            id: id, account: account, lane: before.last?.lane ?? "\(route.kind)/\(draft.key.id)",
            kind: WaitingChange.kind(of: kind.name), payload: change.payload, base: base(row, draft.key),
            targets: [.init(route.destination)], dependencies: Set(additions), enqueuedAt: clock.now())
    }

    /// The pending change that an entry is.
    func change(
        _ entry: OutboxEntry, _ phase: PendingChange<Model>.Phase = .waiting, _ failure: DeliveryFailure? = nil,
        at place: PendingChange<Model>.Place? = nil
    ) -> PendingChange<Model> {
        let change = WaitingChange(entry.payload)
        // A change that can't be read is not shown; its destination says so.
        return PendingChange(
            entry, key: EntityKey(account: account, kind: kind.name, id: change?.id ?? entry.id.text),
            id: id(of: entry), content(of: entry, change), phase, failure, at: place, isLocal: journal == nil)
    }

    func content(of entry: OutboxEntry, _ change: WaitingChange?) -> PendingChange<Model>.Content {
        .init(
            name: WaitingChange.Name(entry.id, change), chain: change?.chain ?? entry.id.text,
            behind: change?.behind ?? [], validator: change?.validator, isAddition: change?.operation == .add,
            overlay: change.flatMap { overlay(of: $0, on: entry.base) })
    }

    private func overlay(of change: WaitingChange, on base: [UInt8]?) -> Overlay? {
        guard change.isShown else { return nil }
        if change.operation == .delete { return .deletion }
        // An addition is made on nothing, also if it was an edit until its model was deleted.
        return Overlay(
            from: change.operation == .add ? nil : base, to: change.bytes, schema: change.schema, kind.codec.members)
    }

    /// nil if it can't be read.
    private func id(of entry: OutboxEntry) -> Model.ID? {
        do throws(DeliveryFailure) { return try draft(entry).id } catch { return nil }
    }
}
