internal import Synchronization
public import WharfCore
internal import WharfPrimitives

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
        woken()
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
        let new = OutboxEntry(
            id: newID(), account: old.account, lane: old.lane, kind: old.kind, payload: payload,
            // The person has seen the receiver's value of the conflict, so the edit is based on
            // that value.
            base: letter.conflict?.theirs ?? old.base, deliveryClass: old.deliveryClass,
            targets: [.init(letter.destination)],
            dependencies: try await dependencies(ofEdited: letter), enqueuedAt: clock.now())
        var commit = Commit(enqueued: [new])
        commit.discarded = [letter.id]
        watches.note([(letter.id, .discarded)])
        let committed = try await store.commit(commit)
        watches.note(committed.dropped)
        watches.note([(letter.id, .discarded)])
        readers.tell(
            [.enqueued(new.id, kind: new.kind.name, lane: new.lane)] + committed.dropped.map(OutboxEvent.dropping))
        woken()
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
        let states = deliveries.map { ($0, OutboxRecord.State.discarded) }
        watches.note(states)
        try await store.commit(commit)
        watches.note(states)
        woken()
    }

    /// Looks for due lanes again after a person's decision.
    func woken() {
        state.withLock { $0.schedule.decided() }
        wakeUp.signal()
    }
}
