internal import WharfCore

// Changes that wait in an outbox.
extension StoredModels {
    /// Shows again what was waiting when the process began.
    func restoreWaiting() async throws(StoreError) {
        guard let waiting else { return }
        try await waiting.restoreOnce(on: line.executor) { [self] () throws(StoreError) in
            let kind = WaitingChange.kind(of: kind.name).name
            var last: OutboxEntry.ID?
            while true {
                let records = try await waiting.outbox.store.records(of: account, kind: kind, after: last, limit: 500)
                for record in records where record.states.values.contains(where: \.isOpen) { begin(record.entry) }
                guard let end = records.last else { return }
                last = end.entry.id
            }
        }
    }

    /// Puts a change into the outbox, and shows it where it is to be shown.
    ///
    /// - Returns: where to hear what became of it.
    func enqueue(
        _ draft: Draft, _ mode: WriteMode, in waiting: WaitingChanges<Model>
    ) async throws(WriteFailure) -> Decision<WriteOutcome<Model>> {
        guard remote?.write != nil else { throw .noWriting }
        // In a turn, so that it is made on what the change before it has made; and to its end, whoever leaves.
        let task = line.enqueue { [self] in await enqueueInTurn(draft, mode, in: waiting) }
        return try await task.value.get()
    }

    private func enqueueInTurn(
        _ draft: Draft, _ mode: WriteMode, in waiting: WaitingChanges<Model>
    ) async -> Result<Decision<WriteOutcome<Model>>, WriteFailure> {
        do throws(StoreError) {
            if line.isEnded { throw .ended }
            try await restoreWaiting()
            let row = try await store.row(draft.key)
            let base = base(row, draft.key)
            if draft.model == nil, base == nil, kind.parsing == nil { return .failure(.unnamed(kind.name)) }
            let id = waiting.outbox.newID()
            let change = WaitingChange(
                draft.model == nil ? .delete : draft.isAddition ? .add : .edit, id: draft.key.id,
                schema: kind.codec.schema, isShown: mode == .optimistic, validator: row?.validator,
                chain: pending.waiting(draft.key.id).last?.waiting?.chain ?? id.text, bytes: draft.bytes ?? [])
            let kind = WaitingChange.kind(of: kind.name)
            let entry = OutboxEntry(
                id: id, account: account, lane: "\(kind.name)/\(draft.key.id)", kind: kind,
                payload: change.payload, base: base, targets: [.init(kind.name)],
                dependencies: additions(of: draft.key.id), enqueuedAt: clock.now())
            try await waiting.outbox.enqueue([entry], changing: [])
            return .success(begin(entry) ?? Decision(.rejected(.unreadable(kind.name))))
        } catch {
            let failure = failed(error, "keep a change of \(kind.name) \(draft.key.id)")
            return .failure(
                WriteFailure(.storeFailed, message: "\(failure.message); it will not be sent", cause: error))
        }
    }

    /// A change of what the service does not have yet waits for that. Others only come in their order: one that is refused takes no later one
    /// with it.
    private func additions(of id: String) -> Set<OutboxEntry.ID> {
        Set(pending.waiting(id).filter(\.isAddition).compactMap(\.waiting?.entry))
    }

    /// Takes in a change that is in the outbox, and follows it to its end.
    ///
    /// - Returns: nil for what can't be read; its destination says so.
    @discardableResult
    func begin(_ entry: OutboxEntry) -> Decision<WriteOutcome<Model>>? {
        guard let waiting, let change = WaitingChange(entry.payload) else { return nil }
        if let known = waiting.decision(of: entry.id) { return known }
        var overlay: Overlay?
        if change.isShown {
            overlay =
                change.operation == .delete
                ? .deletion
                : Overlay(from: entry.base, to: change.bytes, schema: change.schema, kind.codec.members)
        }
        let key = EntityKey(account: account, kind: kind.name, id: change.id)
        let number = pending.begin(
            key, overlay, isAddition: change.operation == .add, at: entry.enqueuedAt, validator: change.validator,
            waiting: (entry.id, change.chain))
        let decision = waiting.begin(entry.id, number, key)
        Task.detached(executorPreference: line.executor) { [self] in await follow(entry.id, in: waiting) }
        return decision
    }

    /// Waits for what others than this repository's destination decide: another process, the limits of the outbox, a person.
    private func follow(_ entry: OutboxEntry.ID, in waiting: WaitingChanges<Model>) async {
        let outcome: WriteOutcome<Model>
        do throws(StoreError) {
            let states = try await waiting.outbox.outcome(of: entry)
            outcome = self.outcome(states?[WaitingChange.kind(of: kind.name).name])
        } catch {
            if error.code != .closed { _ = failed(error, "hear of a change of \(kind.name) that waits") }
            // It goes on waiting, and is shown as long: who asks is told that nobody will say.
            waiting.change(entry)?.decision.make(.unknown(.unheard(kind.name, error)))
            return
        }
        guard let change = waiting.end(entry) else { return }
        pending.end(change.number, change.key)
        change.decision.make(outcome)
    }

    private func outcome(_ state: OutboxRecord.State?) -> WriteOutcome<Model> {
        switch state {
        case .dead(_, let failure) where failure.code == .conflict:
            .conflict(theirs: Snapshot(kept: nil, error: .nothingKept))
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

    fileprivate static func unreadable(_ kind: String) -> WriteFailure {
        WriteFailure(.unencodable, message: "a change of \(kind) can't be read back from the outbox")
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
