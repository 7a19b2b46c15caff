internal import Synchronization
public import WharfCore
internal import WharfPrimitives

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

    /// Sends other bytes in its place: as a new entry at the end of its lane, under a new key, to
    /// the same destination. The letter is discarded in the same commit. The new one depends on
    /// what the letter still waited for, without what was discarded.
    ///
    /// - Returns: the new entry.
    @discardableResult
    public func edit(_ letter: DeadLetter, payload: [UInt8]) async throws(StoreError) -> OutboxEntry {
        let old = letter.entry
        let new = OutboxEntry(
            id: newID(), account: old.account, lane: old.lane, kind: old.kind, payload: payload,
            // Who edits a conflict has seen what the receiver has.
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
            // Who was sent has waited for all, or was let go without them by a person.
            return letter.attempts > 0 && letter.failure.code != .unreadable ? [] : old
        }
        // What was discarded or forgotten is waited for no more: a person has seen that, and sends
        // this.
        var kept: Set<OutboxEntry.ID> = []
        for id in old {
            guard let record = try await store.record(of: id), !record.states.values.contains(.discarded) else {
                continue
            }
            kept.insert(id)
        }
        return kept
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

    /// A person has decided: lanes may be due that were not.
    func woken() {
        state.withLock { $0.schedule.decided() }
        wakeUp.signal()
    }
}
