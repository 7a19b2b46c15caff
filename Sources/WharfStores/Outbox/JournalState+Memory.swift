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
        guard let newest = forgotten[entry.account] else { return nil }
        return dependencies.first { $0 <= newest && mayBeForgotten($0) }.map(DeliveryFailure.forgotten)
    }

    /// Whether there may have been something to know, and nothing is known.
    private func mayBeForgotten(_ entry: OutboxEntry.ID) -> Bool {
        guard assigned.ids(with: entry).isEmpty else { return false }
        guard let item = item(entry) else { return true }
        return item.deliveries.contains { !$0.state.isOpen && !$0.state.isDead }
    }
}
