internal import WharfCore
internal import WharfPrimitives

// Changes that wait in an outbox.
extension StoredModels {
    /// Under which its changes and their destination are known to the outbox.
    var route: OutboxCounts.Route {
        let name = WaitingChange.kind(of: kind.name).name
        return OutboxCounts.Route(name, kind: name)
    }

    /// Shows again what was waiting when the process began, and follows it from then on.
    func restoreWaiting() async throws(StoreError) {
        guard let waiting else { return }
        follow(waiting)
        try await waiting.restoreOnce(on: queue.executor) { [self] () throws(StoreError) in
            try await readNew(in: waiting)
            if waiting.openCount == 0 { await removeOldChains() }
        }
    }

    /// Puts a change into the outbox, and shows it where it is to be shown.
    func enqueue(
        _ draft: Draft, _ mode: WriteMode, in waiting: WaitingChanges<Model>
    ) async throws(WriteFailure) -> Enqueued {
        guard remote?.write != nil else { throw .noWriting }
        // In a turn, so that it is made on what the change before it has made; and to its end, whoever leaves.
        let task = queue.enqueue { [self] in await enqueueInTurn(draft, mode, in: waiting) }
        return try await task.value.get()
    }

    private func enqueueInTurn(
        _ draft: Draft, _ mode: WriteMode, in waiting: WaitingChanges<Model>
    ) async -> Result<Enqueued, WriteFailure> {
        do throws(StoreError) {
            if queue.isEnded { throw .ended }
            try await restoreWaiting()
            let entry: OutboxEntry
            switch try await self.entry(draft, mode, in: waiting) {
            case .success(let made): entry = made
            case .failure(let failure): return .failure(failure)
            }
            try await waiting.outbox.enqueue([entry], changing: [])
            return .success(Enqueued(entry: entry.id, decision: begin(entry, in: waiting)))
        } catch {
            let failure = failed(error, "keep a change of \(kind.name) \(draft.key.id)")
            return .failure(
                WriteFailure(.storeFailed, message: "\(failure.message); it will not be sent", cause: error))
        }
    }

    /// A change as it goes into the outbox, made on what is shown now.
    private func entry(
        _ draft: Draft, _ mode: WriteMode, in waiting: WaitingChanges<Model>
    ) async throws(StoreError) -> Result<OutboxEntry, WriteFailure> {
        let draft = try await identified(draft, in: waiting)
        let row = try await store.row(draft.key)
        let base = base(row, draft.key)
        if draft.model == nil, base == nil, kind.parsing == nil { return .failure(.unnamed(kind.name)) }
        let id = waiting.outbox.newID()
        let waits = pending.waiting(draft.key.id)
        let before = waits.last?.place
        let known = waits.compactMap(\.place?.name)
        let change = WaitingChange(
            draft.model == nil ? .delete : draft.isAddition ? .add : .edit, id: draft.key.id,
            schema: kind.codec.schema, isShown: mode == .optimistic, validator: row?.validator,
            chain: before?.chain ?? id.text, behind: known.suffix(WaitingChange.mostBehind),
            bytes: draft.bytes ?? [])
        return .success(
            OutboxEntry(
                id: id, account: account, lane: before?.lane ?? "\(route.kind)/\(draft.key.id)",
                kind: WaitingChange.kind(of: kind.name), payload: change.payload, base: base,
                targets: [.init(route.destination)], dependencies: additions(of: draft.key.id),
                enqueuedAt: clock.now()))
    }

    /// With the id that the service has given its model since, where the caller has the one before.
    func identified(_ draft: Draft, in waiting: WaitingChanges<Model>) async throws(StoreError) -> Draft {
        // What is added under it now is another model than what had that id in an earlier launch.
        guard !pending.waiting(draft.key.id).contains(where: \.isAddition),
            let given = try await assigned(to: draft, in: waiting)
        else { return draft }
        do throws(DeliveryFailure) { return try identified(draft, as: given) } catch {
            // Its destination says so.
            return draft
        }
    }

    /// A change of what the service does not have yet waits for that. Others only come in their order: one that is refused takes no later one
    /// with it.
    private func additions(of id: String) -> Set<OutboxEntry.ID> {
        Set(pending.waiting(id).filter(\.isAddition).compactMap(\.place?.entry))
    }

    /// A change that is in the outbox, and where its outcome will be said.
    struct Enqueued: Sendable {
        let entry: OutboxEntry.ID
        let decision: Promise<WriteOutcome<Model>>
    }

    /// Takes in a change that waits in the outbox, and shows it where it is to be shown.
    ///
    /// - Parameter order: nil for where it was seen before, or else behind all others.
    @discardableResult
    func begin(
        _ entry: OutboxEntry, _ failure: DeliveryFailure? = nil, order: UInt64? = nil,
        in waiting: WaitingChanges<Model>
    ) -> Promise<WriteOutcome<Model>> {
        let change = WaitingChange(entry.payload)
        if let order { waiting.reorder(entry.id, to: order) }
        if let known = waiting.change(entry.id), !known.isDecided {
            if let order { pending.reorder(known.number, known.key, to: order) }
            if let change { refresh(known, with: change, entry, in: waiting) }
            return known.decision
        }
        // What can't be read is not shown; its destination says so.
        let key = EntityKey(account: account, kind: kind.name, id: change?.id ?? entry.id.text)
        let order = order ?? waiting.order(of: entry.id) ?? pending.nextOrder()
        let number = pending.begin(
            key, change.flatMap { overlay(of: $0, on: entry.base) }, isAddition: change?.operation == .add,
            at: entry.enqueuedAt, validator: change?.validator,
            place: .init(entry, change), order: order)
        let begun = WaitingChanges<Model>.Change(
            number: number, order: order, key: key, id: id(of: entry), validator: change?.validator,
            version: change?.version, isAddition: change?.operation == .add, decision: Promise(), failure: failure)
        return waiting.begin(entry.id, begun)
    }

    /// What is known of one that was rewritten since: its model has another id now, or it was made anew on something else.
    private func refresh(
        _ known: WaitingChanges<Model>.Change, with change: WaitingChange, _ entry: OutboxEntry,
        in waiting: WaitingChanges<Model>
    ) {
        // What the journal could not rewrite has the old id there for ever.
        let key =
            known.formerIDs.contains(change.id)
            ? known.key : EntityKey(account: account, kind: kind.name, id: change.id)
        if key != known.key {
            pending.move(known.number, from: known.key, to: key, overlay(of: change, on: entry.base))
            let id = id(of: entry)
            waiting.update(entry.id) { change in
                change.formerIDs.insert(change.key.id)
                (change.key, change.id) = (key, id)
            }
        }
        // Not before: what was merged is in the journal now.
        let isAddition = change.operation == .add
        if (change.validator, change.version, isAddition) != (known.validator, known.version, known.isAddition) {
            pending.rebase(
                known.number, key, overlay(of: change, on: entry.base), change.validator, isAddition,
                PendingWrites.Place(entry, change))
            waiting.update(entry.id) {
                ($0.validator, $0.version, $0.isAddition) = (change.validator, change.version, isAddition)
            }
        }
    }

    func overlay(of change: WaitingChange, on base: [UInt8]?) -> Overlay? {
        guard change.isShown else { return nil }
        if change.operation == .delete { return .deletion }
        // What is added is made on nothing, also where it was an edit until somebody had deleted what that was of.
        return Overlay(
            from: change.operation == .add ? nil : base, to: change.bytes, schema: change.schema, kind.codec.members)
    }

    /// nil where it can't be read.
    func id(of entry: OutboxEntry) -> Model.ID? {
        do throws(DeliveryFailure) { return try draft(entry).id } catch { return nil }
    }

    // MARK: What became of a change

    /// Waits for the outcome: what this repository's destination hears from the service, or what the outbox says.
    func outcome(of change: Enqueued, in waiting: WaitingChanges<Model>) async -> WriteOutcome<Model> {
        waiting.hearOnce(change.entry) {
            Task.detached(executorPreference: queue.executor) { [self] in await hear(of: change, in: waiting) }
        }
        return await change.decision.wait()
    }

    /// Others than this repository may decide: another process, the limits of the outbox, a person.
    private func hear(of change: Enqueued, in waiting: WaitingChanges<Model>) async {
        var pauses = StorePauses()
        while true {
            do throws(StoreError) {
                let states = try await waiting.outbox.outcome(of: change.entry)
                let theirs = waiting.change(change.entry)?.theirs
                change.decision.fulfil(outcome(states?[route.destination], theirs))
                return
            } catch {
                // It goes on waiting, and is shown as long: who asks is told that nobody will say.
                guard error.code != .closed else {
                    change.decision.fulfil(.unknown(.unheard(kind.name, error)))
                    return
                }
                _ = failed(error, "hear of a change of \(kind.name) that waits; it is tried again")
            }
            guard await pauses.rest(on: timer) else { return }
        }
    }

    func outcome(_ state: OutboxRecord.State?, _ theirs: Snapshot<Model>?) -> WriteOutcome<Model> {
        switch state {
        case .dead(_, let failure) where failure.code == .conflict:
            .conflict(theirs: theirs ?? Snapshot(kept: nil, error: .nothingKept))
        case .dead(_, let failure): .rejected(WriteFailure(failure))
        case .dropped, .discarded: .rejected(.discarded(kind.name))
        case .delivered: .delivered(nil)
        case .unneeded, .waiting, .pending, nil: .unknown(.decidedElsewhere(kind.name))
        }
    }
}

extension WriteFailure {
    fileprivate static func unnamed(_ kind: String) -> WriteFailure {
        WriteFailure(
            .unsupported,
            message:
                "expected an id of \(kind) that can be read from its text, since the store does not have the model; give "
                + "EntityKind `parsing`, or read the model before it is deleted")
    }

    fileprivate static func unheard(_ kind: String, _ error: StoreError) -> WriteFailure {
        WriteFailure(
            .notDelivered,
            message:
                "the change of \(kind) waits in the outbox, from which nothing is heard any more: \(error.message)",
            cause: error)
    }

    fileprivate static func decidedElsewhere(_ kind: String) -> WriteFailure {
        WriteFailure(
            .notDelivered,
            message: "somebody else has settled the change of \(kind), and did not say how; read it again to see")
    }

    fileprivate static func discarded(_ kind: String) -> WriteFailure {
        WriteFailure(.notDelivered, message: "the change of \(kind) was discarded from the outbox; nothing was written")
    }
}
