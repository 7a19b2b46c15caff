internal import WharfCore

extension JournalState {
    /// Checks the preconditions of a commit.
    ///
    /// It runs before any change, so that a refused commit needs no copy of the whole state.
    func check(_ commit: Commit) throws(StoreError) {
        var ids: Set<OutboxEntry.ID> = []
        for entry in commit.enqueued where positions[entry.id] != nil || !ids.insert(entry.id).inserted {
            throw StoreError(
                .changed,
                message: "expected a new id, but the journal has an entry \(entry.id); give each entry its own")
        }
        for assignment in commit.assigned {
            let others = dependents(of: assignment.entry).map(\.id).filter { !assignment.dependents.contains($0) }
            guard others.isEmpty else {
                throw StoreError(
                    .changed,
                    message: "expected no other dependents of \(assignment.entry) than those that were seen, but found "
                        + "\(others.map(\.text).joined(separator: ", ")); read them, rewrite them, and commit again")
            }
        }
        for (letter, key) in commit.lookedAt {
            if let (position, index) = place(letter), let item = items[position],
                item.deliveries[index].state.isDead, item.entry.key == key
            {
                continue
            }
            throw StoreError(
                .changed,
                message:
                    "expected a dead letter \(letter.entry) to \(letter.destination) under the key \(key.text), as it was "
                    + "seen, but somebody else has decided about it; read the dead letters again")
        }
        guard !commit.rewritten.isEmpty else { return }
        let settled = Set(commit.settled.filter { $0.verdict == .delivered || isCurrent($0.lease) }.map(\.delivery))
        let retried = Set(commit.retried)
        for rewrite in commit.rewritten { try check(rewrite, settled: settled, retried: retried) }
    }

    private func check(
        _ rewrite: Rewrite, settled: Set<DeliveryID>, retried: Set<DeliveryID>
    ) throws(StoreError) {
        guard let item = item(rewrite.entry) else {
            throw StoreError(
                .changed,
                message: "expected an entry \(rewrite.entry) to rewrite, but the journal has none; it is settled")
        }
        guard rewrite.expected.map({ $0 == item.entry.payload }) ?? true else { throw .rewritten(rewrite.entry) }
        guard rewrite.owed.isEmpty else {
            guard rewrite.owed != item.owed else { return }
            throw StoreError(
                .changed,
                message:
                    "expected that \(rewrite.entry) lacks the ids \(rewrite.owed.keys.sorted()), but it lacks "
                    + "\(item.owed.keys.sorted()): somebody else has put them in, or others have come; lease it again")
        }
        for (index, delivery) in item.deliveries.enumerated() {
            let id = DeliveryID(rewrite.entry, to: delivery.destination)
            let isSettled = settled.contains(id)
            if retried.contains(id), !delivery.state.isDead {
                throw StoreError(
                    .changed,
                    message:
                        "expected a dead letter \(rewrite.entry) to \(delivery.destination) to rewrite and retry, but it is "
                        + "none: somebody else has settled it; read the dead letters again")
            }
            if !isSettled, isOnItsWay(item, index) {
                throw StoreError(
                    .changed,
                    message:
                        "expected \(rewrite.entry) not to be on its way, but \(delivery.destination) is delivering it; "
                        + "rewrite it after its settlement")
            }
            if rewrite.key == nil, isSettled || delivery.firstAttempt != nil {
                throw StoreError(
                    .changed,
                    message:
                        "expected \(rewrite.entry) to be new to \(delivery.destination), but it was attempted, and the "
                        + "bytes under a key never change then; give it a new key")
            }
        }
    }
}
