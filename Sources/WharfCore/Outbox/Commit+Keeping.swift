extension Commit {
    /// Without what came with the deliveries of accounts that were removed while these were on their way.
    ///
    /// Those are accounts of which it settles only what is not known any more.
    ///
    /// - Parameter isKnown: whether the journal has the entry, or its lane is still held under that lease.
    /// - Complexity: a look at one settlement of each account, where the account is there.
    package func keeping(_ isKnown: (Settlement) throws -> Bool) rethrows -> Commit {
        if settled.isEmpty || entities.isEmpty && assigned.isEmpty && paused.isEmpty { return self }
        var (known, unknown): (Set<Account?>, Set<Account?>) = ([], [])
        for settlement in settled {
            let account = settlement.lease.lane.account
            if known.contains(account) { continue }
            if try isKnown(settlement) { known.insert(account) } else { unknown.insert(account) }
        }
        let removed = unknown.subtracting(known)
        if removed.isEmpty { return self }
        var commit = self
        let late = Set(settled.filter { removed.contains($0.lease.lane.account) }.map(\.delivery.entry))
        commit.entities.removeAll { removed.contains($0.key.account) }
        commit.assigned.removeAll { late.contains($0.entry) }
        commit.paused = paused.filter { !removed.contains($0.key) }
        return commit
    }

    /// Whether a lane may be due after it that was not before.
    package var mayMakeDue: Bool {
        !enqueued.isEmpty || !settled.isEmpty || !retried.isEmpty || !discarded.isEmpty || !resumed.isEmpty
            || !released.isEmpty
    }
}
