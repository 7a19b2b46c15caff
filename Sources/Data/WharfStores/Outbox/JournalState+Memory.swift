internal import WharfCore

// The journal remembers assigned ids and discarded entries for dependents that come later.
extension JournalState {
    mutating func forgetIDs() { note(assigned.forget(but: memory)) }

    mutating func forgetDiscarded() { note(discarded.forget(but: memory)) }

    private mutating func note(_ entries: [(entry: OutboxEntry.ID, account: Account?)]) {
        // Ids are ordered by time, so the newest one bounds all that may be forgotten.
        for (entry, account) in entries { forgotten[account] = max(forgotten[account] ?? entry, entry) }
    }

    /// The failure of a new entry with a discarded or forgotten dependency; nil if none.
    func obstacle(_ entry: OutboxEntry) -> DeliveryFailure? {
        let dependencies = entry.dependencies.sorted()
        if let gone = dependencies.first(where: discarded.contains) { return .discarded(gone) }
        return dependencies.first { mayBeForgotten($0, of: entry.account) }.map(DeliveryFailure.forgotten)
    }

    /// Whether the journal may have forgotten an entry, or some of its assigned ids.
    ///
    /// - Parameter account: the account of the dependent entry.
    func mayBeForgotten(_ entry: OutboxEntry.ID, of account: Account?) -> Bool {
        // If its ids are here, they are here as a whole.
        guard let newest = forgotten[account], entry <= newest, assigned.ids(with: entry).isEmpty else { return false }
        guard let item = item(entry) else { return true }
        // A settled delivery may have assigned ids that are forgotten.
        return item.deliveries.contains { !$0.state.isOpen && !$0.state.isDead }
    }
}
