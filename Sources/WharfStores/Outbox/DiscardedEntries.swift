internal import WharfCore

/// Entries of which a delivery was given up by a person, and whose they were.
struct DiscardedEntries {
    private var accounts: [OutboxEntry.ID: (account: Account?, number: Int64)] = [:]
    /// In the order in which they were given up.
    private var arrivals: [Int64: OutboxEntry.ID] = [:]
    private var numbers = PositionQueue()
    private var last: Int64 = 0

    func contains(_ entry: OutboxEntry.ID) -> Bool { accounts[entry] != nil }

    /// One of which another delivery was given up before keeps its place.
    mutating func add(_ entry: OutboxEntry.ID, of account: Account?) {
        guard accounts[entry] == nil else { return }
        last += 1
        accounts[entry] = (account, last)
        arrivals[last] = entry
        numbers.insert(last)
    }

    /// Forgets all but the last so many.
    ///
    /// - Returns: the entries, and whose they were.
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
