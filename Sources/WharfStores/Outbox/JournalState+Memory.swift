internal import WharfCore

// What is remembered of entries for those that come late.
extension JournalState {
    mutating func forgetIDs() { note(assigned.forget(but: memory)) }

    mutating func forgetDiscarded() { note(discarded.forget(but: memory)) }

    private mutating func note(_ entries: [(entry: OutboxEntry.ID, account: Account?)]) {
        for (entry, account) in entries { forgotten[account] = max(forgotten[account] ?? entry, entry) }
    }

    /// Why an entry that has just come can't be sent, for what became of those that it depends on.
    func obstacle(_ entry: OutboxEntry) -> DeliveryFailure? {
        let dependencies = entry.dependencies.sorted()
        if let gone = dependencies.first(where: discarded.contains) { return .discarded(gone) }
        return dependencies.first { mayBeForgotten($0, of: entry.account) }.map(DeliveryFailure.forgotten)
    }

    /// Whether there may have been something to know of an entry, and nothing is known.
    ///
    /// - Parameter account: of who asks.
    func mayBeForgotten(_ entry: OutboxEntry.ID, of account: Account?) -> Bool {
        guard let newest = forgotten[account], entry <= newest, assigned.ids(with: entry).isEmpty else { return false }
        guard let item = item(entry) else { return true }
        return item.deliveries.contains { !$0.state.isOpen && !$0.state.isDead }
    }
}
