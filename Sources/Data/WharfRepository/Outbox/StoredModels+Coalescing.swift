internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

// Coalesces several edits of a model into one entry.
extension StoredModels {
    /// Coalesces an edit into the entry of the change that it was made on.
    ///
    /// - Parameter new: the edit as an entry of its own.
    /// - Returns: the entry that has the edit, with its receipt; nil if the edit needs its own
    ///   entry.
    func coalesced(
        _ new: OutboxEntry, in journal: PendingJournal
    ) async throws(StoreError) -> (entry: OutboxEntry, receipt: Promise<WriteOutcome<Model>>)? {
        guard kind.coalescesEdits, let edit = WaitingChange(new.payload), edit.operation == .edit,
            // The look at the pending changes and the commit are one turn of the queue. A change of
            // this process can't come between.
            let last = pending.open(edit.id).last, last.isShown, last.phase == .waiting,
            let record = try await journal.store.record(of: last.entry),
            record.states[route.destination]?.isOpen == true, let before = WaitingChange(record.entry.payload),
            edit.isMadeAlone(on: before), edit.behind.last == WaitingChange.Reference(last.entry, before),
            isSame(before.bytes, new.base)
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
