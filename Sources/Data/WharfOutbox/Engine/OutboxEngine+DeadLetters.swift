internal import Synchronization
public import WharfCore
internal import WharfPrimitives
public import WharfStorage

extension OutboxEngine {
    /// Returns a page of the dead letters, the oldest first.
    ///
    /// - Parameter last: the last id of the page before; nil for the first page.
    public func deadLetters(after last: DeliveryID? = nil, limit: Int = 100) async throws(StoreError) -> [DeadLetter] {
        try await store.deadLetters(of: account, after: last, limit: limit)
    }

    /// Attempts dead letters again, in their old places, with the same bytes and key.
    public func retry(_ letters: [DeliveryID]) async throws(StoreError) {
        var commit = Commit()
        commit.retried = letters
        try await store.commit(commit)
        wakeAfterDecision()
    }

    /// Replaces a dead letter by a new entry with another payload.
    ///
    /// The new entry goes to the same destination, at the end of its lane, under a new key. The
    /// letter is discarded in the same commit. The new entry depends on the entries that the letter
    /// still waited for, without discarded ones.
    ///
    /// - Returns: the new entry.
    @discardableResult
    public func edit(_ letter: DeadLetter, payload: [UInt8]) async throws(StoreError) -> OutboxEntry {
        let old = letter.entry
        var new = OutboxEntry(
            id: newID(), lane: old.lane, kind: old.kind, payload: payload, targets: [.init(letter.destination)],
            enqueuedAt: clock.now())
        new.account = old.account
        // The person has seen the receiver's value of the conflict, so the edit is based on that
        // value.
        new.base = letter.conflict?.theirs ?? old.base
        new.deliveryClass = old.deliveryClass
        new.dependencies = try await dependencies(ofEdited: letter)
        var commit = Commit(enqueued: [new])
        // One commit: a kill between two would lose the edit, or leave the letter beside its
        // replacement.
        commit.discarded = [letter.id]
        let committed = try await commitDiscarding(commit)
        outcomeObservers.record(committed.dropped)
        readers.tell(
            [.enqueued(new.id, kind: new.kind.name, lane: new.lane)] + committed.dropped.map(OutboxEvent.dropping))
        wakeAfterDecision()
        return new
    }

    private func dependencies(ofEdited letter: DeadLetter) async throws(StoreError) -> Set<OutboxEntry.ID> {
        let old = letter.entry.dependencies
        guard [.dependencyDiscarded, .dependencyForgotten].contains(letter.failure.code) else {
            // An entry that was sent had no open dependency: all were delivered, or a person
            // retried it without them.
            return letter.attempts > 0 && letter.failure.code != .unreadable ? [] : old
        }
        // Discarded and forgotten dependencies are dropped. A person has seen that they are
        // missing, and sends the entry without them.
        var kept: Set<OutboxEntry.ID> = []
        for id in old {
            guard let record = try await store.record(of: id), !record.states.values.contains(.discarded) else {
                continue
            }
            kept.insert(id)
        }
        return kept
    }

    /// Gives up deliveries, waiting or dead.
    ///
    /// Entries that depend on theirs become dead letters.
    public func discard(_ deliveries: [DeliveryID]) async throws(StoreError) {
        var commit = Commit()
        commit.discarded = deliveries
        _ = try await commitDiscarding(commit)
        wakeAfterDecision()
    }

    /// Commits discards, and notes them for the callers that wait.
    private func commitDiscarding(_ commit: Commit) async throws(StoreError) -> CommitResult {
        let states = commit.discarded.map { ($0, OutboxRecord.State.discarded) }
        // Noted before the commit: the commit may remove the record, and a caller that looks then
        // finds the outcome only here.
        outcomeObservers.record(states)
        do throws(StoreError) {
            let committed = try await store.commit(commit)
            // Noted again after the commit, because a caller that looked before it still saw the
            // record as open.
            outcomeObservers.record(states)
            return committed
        } catch {
            // The deliveries are open, and another engine may deliver them.
            outcomeObservers.withdraw(states)
            throw error
        }
    }

    /// Looks for due lanes again after a person's decision.
    func wakeAfterDecision() {
        // The schedule changes before the signal. The loop would otherwise wake, find nothing due,
        // and rest again.
        state.withLock { $0.schedule.recordDecision() }
        wakeUp.signal()
    }
}
