internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

// Folds the journal into the pending changes: entries of other processes, and settlements by other
// processes, by limits or by a person.
extension StoredModels {
    /// Follows the journal from now on, in one task.
    func follow(_ journal: PendingJournal) {
        journal.followOnce {
            // Subscribed before the first look: a commit between the two is not lost.
            let notifications = journal.store.notifications()
            // The task must not keep the journal alive, because the journal's `deinit` cancels the
            // task.
            var parts = self
            parts.journal = nil
            return Task.detached(executorPreference: queue.executor) { [parts, weak journal] in
                await journal.map(parts.with)?.look()
                for await _ in notifications {
                    guard let journal else { return }
                    await parts.with(journal).look()
                }
            }
        }
    }

    private func with(_ journal: PendingJournal) -> Self {
        var all = self
        all.journal = journal
        return all
    }

    /// Folds in the outcomes of the pending changes.
    ///
    /// It retries with backoff while the store fails.
    private func look() async {
        guard let journal else { return }
        var backoff = StoreBackoff()
        while true {
            do throws(StoreError) {
                try await restoreWaiting()
                return try await queue.turn { [self] in await lookInTurn(journal) }.get()
            } catch {
                // A closed store has no more news.
                if error.code == .closed { return }
                _ = failed(error, "look up the outcomes of waiting changes of \(kind.name), and is asked again")
            }
            guard await backoff.wait(on: timer) else { return }
        }
    }

    private func lookInTurn(_ journal: PendingJournal) async -> Result<Void, StoreError> {
        do throws(StoreError) {
            // No count tells that another process has coalesced an edit into an entry. So all
            // entries are read again.
            if kind.coalescesEdits { journal.last = nil }
            try await readNew(in: journal)
            let counts = try await journal.store.counts(of: account)
            let (open, dead) = (counts.pending[route] ?? 0, counts.dead[route] ?? 0)
            // The counts decide, so that most news costs no read of each entry. All entries up to
            // the cursor are known. So if as many are open here as in the journal, they are the
            // same ones.
            if pending.read(\.openCount) < open { try await readNew(in: journal) }
            // Dead letters come first, because one that was retried is open again. The first 16 are
            // compared in any case: if one was retried and another one died, the count is the same.
            if pending.read(\.deadCount) > 0 {
                for (number, entry) in pending.read({ $0.entries(in: [.dead]) }).enumerated()
                where number < 16 || pending.read(\.deadCount) > dead {
                    try await compare(entry, in: journal)
                }
            }
            // The changes that this repository has sent come first, then the oldest.
            for phases in [[.decided], [.waiting, .sending]] as [Set<PendingChange<Model>.Phase>]
            where pending.read(\.openCount) > open {
                for entry in pending.read({ $0.entries(in: phases) })
                where pending.read({ $0.openCount > open && $0.changes[entry] != nil }) {
                    try await compare(entry, in: journal)
                }
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Folds in the entries that have come to the journal since the last look.
    func readNew(in journal: PendingJournal) async throws(StoreError) {
        while true {
            let records = try await journal.store.records(
                of: account, kind: route.kind, after: journal.last, limit: 500)
            try await take(records, in: journal)
            guard let last = records.last else { return }
            // Moved after the records are folded in. After a failure in between, they are read
            // again, which has no effect.
            journal.last = last.position
        }
    }

    /// Folds in an entry that is not known yet, and the entries before it.
    ///
    /// - Returns: whether the journal still has the entry. For a known entry the journal is not
    ///   asked.
    @discardableResult
    func readUp(to entry: OutboxEntry.ID, in journal: PendingJournal) async throws(StoreError) -> Bool {
        if pending.change(entry) == nil { try await readNew(in: journal) }
        return pending.change(entry) != nil
    }

    /// Folds in records in the order of the journal.
    ///
    /// An addition is folded in with its stored answer.
    private func take(_ records: [OutboxRecord], in journal: PendingJournal) async throws(StoreError) {
        let additions = records.filter { record in
            record.states[route.destination]?.isOpen == true
                && WaitingChange(record.entry.payload)?.operation == .add
        }
        let answers = try await answers(to: additions.map(\.entry.id))
        for record in records {
            guard let answer = answers[record.entry.id] else {
                take(try await identified(record, in: journal))
                continue
            }
            let addition = change(record.entry, at: .journal(record.position))
            // In one step. Between two steps the addition would be shown beside the row of its
            // answer.
            pending.apply(
                [.recorded(addition)] + (try await events(answer, toAdditionOf: addition.key.id, in: journal)))
        }
    }

    /// Folds in the outcome of a known change.
    func compare(_ entry: OutboxEntry.ID, in journal: PendingJournal) async throws(StoreError) {
        let record = try await journal.store.record(of: entry)
        if let record, take(try await identified(record, in: journal)) { return }
        // The settlement was folded in meanwhile.
        guard let gone = pending.change(entry) else { return }
        var events = [PendingEvent<Model>.settled(entry)]
        if gone.content.isAddition, let given = try await assigned(to: gone.key.id, in: journal) {
            events += try await moved(gone.key.id, to: given, in: journal)
        }
        pending.apply(events)
        // The states are folded in first. The outbox may know the outcome better, so its listener
        // goes first.
        pending.fulfil(entry, outcome(record?.states[route.destination], nil), unlessHeard: true)
    }

    /// Folds in a record.
    ///
    /// - Returns: false if its entry is neither open nor a dead letter.
    @discardableResult
    func take(_ record: OutboxRecord) -> Bool {
        let (entry, place) = (record.entry, PendingChange<Model>.Position.journal(record.position))
        switch record.states[route.destination] {
        case .waiting?: pending.apply(.recorded(change(entry, at: place)))
        case .pending(_, _, let failure)?: pending.apply(.recorded(change(entry, .waiting, failure, at: place)))
        case .dead(let attempts, let failure)?:
            pending.apply(.recorded(change(entry, .dead, failure, at: place)))
            let theirs = pending.change(entry.id)?.theirs
            pending.fulfil(entry.id, outcome(.dead(attempts: attempts, failure), theirs))
        default: return false
        }
        return true
    }
}
