internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// Puts changes into the outbox, and waits for their outcomes.
struct OutboxWriter<Model: Identifiable & Sendable>: Sendable where Model.ID: Sendable {
    let maker: ChangeMaker<Model>
    let journal: PendingJournal<Model>

    private var coding: ModelCoding<Model> { journal.coding }
    private var kind: EntityKind<Model> { journal.coding.kind }
    private var pending: PendingChanges<Model> { journal.pending }

    /// A change that is in the outbox, and its outcome.
    struct EnqueuedChange: Sendable {
        let entry: OutboxEntry.ID
        let outcome: Promise<WriteOutcome<Model>>
    }

    /// Puts a change into the outbox, and shows it if its mode says so.
    func enqueue(_ requested: ChangeRequest<Model>, _ mode: WriteMode) async throws(WriteFailure) -> EnqueuedChange {
        // In a turn, because the change is made on the result of the change before it. It runs to
        // its end even if the caller is cancelled.
        try await journal.queue.turn { [self] () throws(WriteFailure) in
            let made: Result<EnqueuedChange, WriteFailure>
            do throws(StoreError) { made = try await enqueueInTurn(requested, mode) } catch {
                let failure = coding.failed(error, "keep a change of \(kind.name) \(coding.key(requested).id)")
                throw WriteFailure(.storeFailed, message: "\(failure.message); it will not be sent", cause: error)
            }
            return try made.get()
        }
    }

    private func enqueueInTurn(
        _ requested: ChangeRequest<Model>, _ mode: WriteMode
    ) async throws(StoreError) -> Result<EnqueuedChange, WriteFailure> {
        // Checked in the turn: the account may have been signed out while the turn waited.
        if journal.queue.isEnded { throw .ended }
        try await journal.restore()
        let made: ChangeMaker<Model>.NewChange
        switch try await maker.make(requested, mode) {
        case .success(let change): made = change
        case .failure(let failure): return .failure(failure)
        }
        let entry = made.entry
        if let (entry, receipt) = try await coalesced(entry) {
            pending.begin(coding.change(entry))
            return .success(EnqueuedChange(entry: entry.id, outcome: receipt))
        }
        // Without a base and a parser, no later process could read the id of the deleted model.
        if made.draft.model == nil, entry.base == nil, kind.parsing == nil { return .failure(.unnamed(kind.name)) }
        // Taken before the commit. Another process may settle the entry at once, and a missing
        // receipt then says that the outcome is known.
        let receipt = pending.receipt(of: entry.id)
        // Committed before it is shown. A kill between the two would otherwise have shown a change
        // that no restart knows.
        do throws(StoreError) { try await journal.outbox.enqueue([entry], changing: []) } catch {
            pending.dropReceipt(of: entry.id)
            throw error
        }
        pending.begin(coding.change(entry))
        return .success(EnqueuedChange(entry: entry.id, outcome: receipt))
    }

    /// Coalesces an edit into the entry of the change that it was made on.
    ///
    /// - Parameter new: the edit as an entry of its own.
    /// - Returns: the entry that has the edit, with its receipt; nil if the edit needs its own
    ///   entry.
    private func coalesced(
        _ new: OutboxEntry
    ) async throws(StoreError) -> (entry: OutboxEntry, receipt: Promise<WriteOutcome<Model>>)? {
        guard kind.coalescesEdits, let edit = WaitingChange(new.payload), edit.operation == .edit,
            // The look at the pending changes and the commit are one turn of the queue. A change of
            // this process can't come between.
            let last = pending.open(edit.id).last, last.isShown, last.phase == .waiting,
            let record = try await journal.store.record(of: last.entry),
            record.states[coding.route.destination]?.isOpen == true, let before = WaitingChange(record.entry.payload),
            edit.isMadeAlone(on: before), edit.behind.last == WaitingChange.Reference(last.entry, before),
            coding.isSame(before.bytes, new.base)
        else { return nil }
        var entry = record.entry
        entry.payload = before.coalesced(edit.bytes, as: journal.outbox.newID().text).payload
        var commit = Commit()
        // The rewrite keeps the key, so the journal refuses it once the entry was sent, or is being
        // sent. The expected payload makes it a compare-and-set. Without that, an edit that another
        // process coalesces at the same time would be lost.
        commit.rewritten = [Rewrite(entry.id, payload: entry.payload, expecting: record.entry.payload)]
        // Taken before the commit: the outbox may settle the entry at once, and `begin` tells by
        // the receipt whether it did.
        let receipt = pending.receipt(of: entry.id)
        do throws(StoreError) {
            try await journal.store.commit(commit)
            return (entry, receipt)
        } catch {
            // The entry is being sent, or another process has rewritten it. The edit then gets an
            // entry of its own.
            guard error.code == .changed else { throw error }
            return nil
        }
    }

    // MARK: Outcomes

    /// Waits for the outcome of a change.
    ///
    /// It comes with the service's answer to this repository, or from the outbox.
    func outcome(of change: EnqueuedChange) async -> WriteOutcome<Model> {
        // One task asks the outbox for all callers. It is detached, because a cancelled caller must
        // not end it for the others.
        if pending.startHearing(change.entry) {
            Task.detached(executorPreference: journal.queue.executor) { [self] in await hear(of: change.entry) }
        }
        return await change.outcome.wait()
    }

    /// Waits until the outbox tells the outcome of a change.
    ///
    /// Another process, the limits of the outbox or a person may settle a change.
    private func hear(of entry: OutboxEntry.ID) async {
        var backoff = StoreBackoff()
        while true {
            do throws(StoreError) {
                let states = try await journal.outbox.outcome(of: entry)
                let theirs = pending.change(entry)?.theirs
                return pending.fulfil(entry, journal.outcome(states?[coding.route.destination], theirs))
            } catch {
                // The change goes on waiting, and stays shown. Its caller is told that no outcome
                // will come.
                guard error.code != .closed else {
                    return pending.fulfil(entry, .unknown(.unheard(kind.name, error)))
                }
                _ = coding.failed(error, "observe a waiting change of \(kind.name), and is asked again")
            }
            guard await backoff.wait(on: journal.timer) else { return }
        }
    }
}

extension WaitingChange {
    /// Returns whether an edit can join an earlier change, made on the same entity tag.
    fileprivate func isMadeAlone(on before: WaitingChange) -> Bool {
        before.operation != .delete && !before.isDecided && validator == before.validator
            && (id, schema, isShown) == (before.id, before.schema, before.isShown)
    }

    fileprivate func coalesced(_ bytes: [UInt8], as revision: String) -> WaitingChange {
        var change = self
        change.revision = revision
        change.bytes = bytes
        return change
    }
}

extension WriteFailure {
    fileprivate static func unnamed(_ kind: String) -> WriteFailure {
        WriteFailure(
            .unsupported,
            message:
                "the store does not have the model, and no id of \(kind) can be read from its text; give EntityKind "
                + "`parsing`, or read the model before it is deleted")
    }

    fileprivate static func unheard(_ kind: String, _ error: StoreError) -> WriteFailure {
        WriteFailure(
            .notDelivered,
            message:
                "the change of \(kind) waits in the outbox, but its outcome can't be observed: \(error.message)",
            cause: error)
    }
}
