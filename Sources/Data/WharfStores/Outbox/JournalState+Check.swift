internal import WharfCore
internal import WharfStorage

extension JournalState {
    /// Checks the preconditions of a commit.
    ///
    /// It runs before any change, so that a refused commit needs no copy of the whole state.
    func check(_ commit: Commit) throws(StoreError) {
        var ids: Set<OutboxEntry.ID> = []
        // Twice in one commit counts as known too.
        for entry in commit.enqueued where positions[entry.id] != nil || !ids.insert(entry.id).inserted {
            throw StoreError(
                .changed,
                message: "the journal already has an entry \(entry.id); give each entry an id of its own")
        }
        for assignment in commit.assigned {
            // A dependent that the committer has not seen would be sent with a temporary id.
            let others = dependents(of: assignment.entry).map(\.id).filter { !assignment.dependents.contains($0) }
            guard others.isEmpty else {
                throw StoreError(
                    .changed,
                    message: "\(assignment.entry) has other dependents than those that were seen: "
                        + "\(others.map(\.text).joined(separator: ", ")); read them, rewrite them, and commit again")
            }
        }
        for (letter, key) in commit.lookedAt {
            // The key identifies the state that the person saw.
            if let (position, index) = place(letter), let item = items[position],
                item.deliveries[index].state.isDead, item.entry.key == key
            {
                continue
            }
            throw StoreError(
                .changed,
                message:
                    "the dead letter \(letter.entry) to \(letter.destination) under the key \(key.text) was settled or "
                    + "changed since it was seen; read the dead letters again")
        }
        guard !commit.rewritten.isEmpty else { return }
        // A delivery counts under any lease, because the receiver has it.
        let settled = Set(commit.settled.filter { $0.outcome == .delivered || isCurrent($0.lease) }.map(\.delivery))
        let retried = Set(commit.retried)
        for rewrite in commit.rewritten { try check(rewrite, settled: settled, retried: retried) }
    }

    private func check(
        _ rewrite: Rewrite, settled: Set<DeliveryID>, retried: Set<DeliveryID>
    ) throws(StoreError) {
        guard let item = item(rewrite.entry) else {
            throw StoreError(
                .changed,
                message: "the journal has no entry \(rewrite.entry) to rewrite, because it is settled; read the "
                    + "entries again")
        }
        // Another commit may have changed the payload since it was read.
        guard rewrite.expected.map({ $0 == item.entry.payload }) ?? true else { throw .rewritten(rewrite.entry) }
        guard rewrite.owed.isEmpty else {
            guard rewrite.owed != item.owed else { return }
            throw StoreError(
                .changed,
                message:
                    "\(rewrite.entry) was not rewritten: the ids that it lacks changed from "
                    + "\(rewrite.owed.keys.sorted()) to \(item.owed.keys.sorted()) since they were read; lease "
                    + "the entry again")
        }
        for (index, delivery) in item.deliveries.enumerated() {
            let id = DeliveryID(rewrite.entry, to: delivery.destination)
            let isSettled = settled.contains(id)
            if retried.contains(id), !delivery.state.isDead {
                throw StoreError(
                    .changed,
                    message:
                        "\(rewrite.entry) to \(delivery.destination) is no longer a dead letter to rewrite and retry, "
                        + "because it was settled meanwhile; read the dead letters again")
            }
            // The receiver may get the old bytes at this moment.
            if !isSettled, isOnItsWay(item, index) {
                throw StoreError(
                    .changed,
                    message:
                        "\(delivery.destination) is delivering \(rewrite.entry), so it can't be rewritten; rewrite it "
                        + "after its settlement")
            }
            // The receiver may know the key with the old bytes, and would ignore the new ones.
            if rewrite.key == nil, isSettled || delivery.firstAttempt != nil {
                throw StoreError(
                    .changed,
                    message:
                        "\(rewrite.entry) was attempted at \(delivery.destination), so its bytes can't change under "
                        + "the same key; give it a new key")
            }
        }
    }
}
