internal import Synchronization
public import WharfCore

extension OutboxEngine {
    /// What was set aside, the oldest first.
    ///
    /// - Parameter last: of the page before.
    public func deadLetters(after last: DeliveryID? = nil, limit: Int = 100) async throws(StoreError) -> [DeadLetter] {
        try await store.deadLetters(of: account, after: last, limit: limit)
    }

    /// Attempts them again, in their old places, with the same bytes and under the same key.
    public func retry(_ letters: [DeliveryID]) async throws(StoreError) {
        var commit = Commit()
        commit.retried = letters
        try await store.commit(commit)
        woken()
    }

    /// Sends other bytes in its place: as a new entry at the end of its lane, under a new key, to the same destination. The
    /// letter is discarded in the same commit. Of one whose dependency was discarded the new one depends on nothing.
    ///
    /// - Returns: the new entry.
    @discardableResult
    public func edit(_ letter: DeadLetter, payload: [UInt8]) async throws(StoreError) -> OutboxEntry {
        let old = letter.entry
        // What was discarded is waited for no more: a person has seen that, and sends this.
        let isAlone = letter.failure.code == .dependencyDiscarded
        let new = OutboxEntry(
            id: newID(), account: old.account, lane: old.lane, kind: old.kind, payload: payload,
            // Who edits a conflict has seen what the receiver has.
            base: letter.conflict?.theirs ?? old.base, deliveryClass: old.deliveryClass,
            targets: [.init(letter.destination)],
            dependencies: isAlone ? [] : old.dependencies, enqueuedAt: clock.now())
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

    /// Gives up deliveries, waiting or dead. What depends on their entries becomes a dead letter.
    public func discard(_ deliveries: [DeliveryID]) async throws(StoreError) {
        var commit = Commit()
        commit.discarded = deliveries
        let states = deliveries.map { ($0, OutboxRecord.State.discarded) }
        watches.note(states)
        try await store.commit(commit)
        watches.note(states)
        woken()
    }

    private func woken() {
        state.withLock { $0.schedule.wake() }
        bell.ring()
    }
}
