internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

// Changes that wait in an outbox.
extension StoredModels {
    /// The destination and kind under which the outbox knows this repository's changes.
    var route: OutboxCounts.Route {
        let name = WaitingChange.kind(of: kind.name).name
        return OutboxCounts.Route(name, kind: name)
    }

    /// Shows the changes that waited when the process began, and follows the journal.
    func restoreWaiting() async throws(StoreError) {
        guard let journal else { return }
        follow(journal)
        try await journal.restoreOnce(on: queue.executor) { [self] () throws(StoreError) in
            try await readNew(in: journal)
            // Only without open changes: a chain may still decide with which tag the next one is
            // sent.
            if pending.read(\.openCount) == 0 { await removeOldChains() }
            // Last, so that the first pending states that observers see are complete.
            pending.restored()
        }
    }

    /// A change that is in the outbox, and its outcome.
    struct EnqueuedChange: Sendable {
        let entry: OutboxEntry.ID
        let outcome: Promise<WriteOutcome<Model>>
    }

    /// Puts a change into the outbox, and shows it if its mode says so.
    func enqueue(
        _ requested: ChangeRequest, _ mode: WriteMode, in journal: PendingJournal
    ) async throws(WriteFailure) -> EnqueuedChange {
        guard remote?.write != nil else { throw .noWriting }
        // In a turn, because the change is made on the result of the change before it. It runs to
        // its end even if the caller is cancelled.
        let task = queue.enqueue { [self] in await enqueueInTurn(requested, mode, in: journal) }
        return try await task.value.get()
    }

    private func enqueueInTurn(
        _ requested: ChangeRequest, _ mode: WriteMode, in journal: PendingJournal
    ) async -> Result<EnqueuedChange, WriteFailure> {
        do throws(StoreError) {
            // Checked in the turn: the account may have been signed out while the turn waited.
            if queue.isEnded { throw .ended }
            try await restoreWaiting()
            let (draft, entry): (Draft, OutboxEntry)
            switch try await make(requested, mode) {
            case .success(let made): (draft, entry) = (made.draft, made.entry)
            case .failure(let failure): return .failure(failure)
            }
            if let (entry, receipt) = try await coalesced(entry, in: journal) {
                pending.begin(change(entry))
                return .success(EnqueuedChange(entry: entry.id, outcome: receipt))
            }
            // Without a base and a parser, no later process could read the id of the deleted model.
            if draft.model == nil, entry.base == nil, kind.parsing == nil { return .failure(.unnamed(kind.name)) }
            // Taken before the commit. Another process may settle the entry at once, and a missing
            // receipt then says that the outcome is known.
            let receipt = pending.receipt(of: entry.id)
            // Committed before it is shown. A kill between the two would otherwise have shown a
            // change that no restart knows.
            do throws(StoreError) { try await journal.outbox.enqueue([entry], changing: []) } catch {
                pending.dropReceipt(of: entry.id)
                throw error
            }
            pending.begin(change(entry))
            return .success(EnqueuedChange(entry: entry.id, outcome: receipt))
        } catch {
            let failure = failed(error, "keep a change of \(kind.name) \(key(requested).id)")
            return .failure(
                WriteFailure(.storeFailed, message: "\(failure.message); it will not be sent", cause: error))
        }
    }

    /// Returns a draft with the id that the service has given its model since.
    ///
    /// The caller may have the id from before.
    func identified(_ draft: Draft, in journal: PendingJournal) async throws(StoreError) -> Draft {
        if !draft.isAddition { try await receiveAnswers(toAdditionsOf: draft.key.id, in: journal) }
        guard !isBeingAdded(draft.key.id), let given = try await assigned(to: draft, in: journal) else { return draft }
        do throws(DeliveryFailure) { return try identified(draft, as: given) } catch {
            // The destination reports a change that can't get the id.
            return draft
        }
    }

    // MARK: Outcomes

    /// Waits for the outcome of a change.
    ///
    /// It comes with the service's answer to this repository, or from the outbox.
    func outcome(of change: EnqueuedChange, in journal: PendingJournal) async -> WriteOutcome<Model> {
        // One task asks the outbox for all callers. It is detached, because a cancelled caller must
        // not end it for the others.
        if pending.startHearing(change.entry) {
            Task.detached(executorPreference: queue.executor) { [self] in await hear(of: change.entry, in: journal) }
        }
        return await change.outcome.wait()
    }

    /// Waits until the outbox tells the outcome of a change.
    ///
    /// Another process, the limits of the outbox or a person may settle a change.
    private func hear(of entry: OutboxEntry.ID, in journal: PendingJournal) async {
        var backoff = StoreBackoff()
        while true {
            do throws(StoreError) {
                let states = try await journal.outbox.outcome(of: entry)
                let theirs = pending.change(entry)?.theirs
                return pending.fulfil(entry, outcome(states?[route.destination], theirs))
            } catch {
                // The change goes on waiting, and stays shown. Its caller is told that no outcome
                // will come.
                guard error.code != .closed else {
                    return pending.fulfil(entry, .unknown(.unheard(kind.name, error)))
                }
                _ = failed(error, "observe a waiting change of \(kind.name), and is asked again")
            }
            guard await backoff.wait(on: timer) else { return }
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

    fileprivate static func decidedElsewhere(_ kind: String) -> WriteFailure {
        WriteFailure(
            .notDelivered,
            message: "another process has settled the change of \(kind), and its outcome is unknown; read the model "
                + "again to see")
    }

    fileprivate static func discarded(_ kind: String) -> WriteFailure {
        WriteFailure(.notDelivered, message: "the change of \(kind) was discarded from the outbox; nothing was written")
    }
}
