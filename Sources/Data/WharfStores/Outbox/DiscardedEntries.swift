internal import WharfCore

/// The entries of which a person discarded a delivery, with their accounts.
struct DiscardedEntries {
    // Invariants: as in `AssignedIDs`, `arrivals` and `numbers` are indexes of `accounts`.
    private var accounts: [OutboxEntry.ID: (account: Account?, number: Int64)] = [:]
    /// The entries by their numbers of arrival.
    private var arrivals: [Int64: OutboxEntry.ID] = [:]
    private var numbers = PositionQueue()
    private var last: Int64 = 0

    func contains(_ entry: OutboxEntry.ID) -> Bool { accounts[entry] != nil }

    /// Adds an entry. If another of its deliveries was discarded before, it keeps its place.
    mutating func add(_ entry: OutboxEntry.ID, of account: Account?) {
        guard accounts[entry] == nil else { return }
        last += 1
        accounts[entry] = (account, last)
        arrivals[last] = entry
        numbers.insert(last)
    }

    /// Forgets all entries but the newest `size`.
    ///
    /// - Returns: the entries, with their accounts.
    mutating func forget(but size: Int) -> [(entry: OutboxEntry.ID, account: Account?)] {
        var forgotten: [(OutboxEntry.ID, Account?)] = []
        let bound = last - Int64(size)
        while let head = numbers.head, head <= bound, let entry = arrivals[head] {
            forgotten.append((entry, accounts[entry]?.account))
            remove(entry)
        }
        return forgotten
    }

    mutating func removeAll(of account: Account?) {
        for (entry, value) in accounts where value.account == account { remove(entry) }
    }

    private mutating func remove(_ entry: OutboxEntry.ID) {
        guard let old = accounts.removeValue(forKey: entry) else { return }
        arrivals[old.number] = nil
        numbers.remove(old.number)
    }
}
