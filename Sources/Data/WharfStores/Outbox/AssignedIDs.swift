internal import WharfCore

/// The ids that receivers assigned in place of temporary ones, by entry.
struct AssignedIDs {
    private struct Name: Hashable {
        let account: Account?
        let temporary: String
    }

    private struct Assignment {
        let id: String
        let entry: OutboxEntry.ID?
        let number: Int64
    }

    // Invariants: `names`, `arrivals` and `numbers` are indexes of `given`. Each number in
    // `numbers` is a key of `arrivals`, and its name is a key of `given`.
    private var given: [Name: Assignment] = [:]
    private var names: [OutboxEntry.ID: Set<Name>] = [:]
    /// The temporary ids by their numbers of arrival.
    private var arrivals: [Int64: Name] = [:]
    private var numbers = PositionQueue()
    private var last: Int64 = 0

    func ids(for temporary: Set<String>, of account: Account?) -> [String: String] {
        temporary.reduce(into: [:]) { $0[$1] = given[Name(account: account, temporary: $1)]?.id }
    }

    /// Returns the ids that were assigned with an entry, by the temporary ones.
    func ids(with entry: OutboxEntry.ID) -> [String: String] {
        (names[entry] ?? []).reduce(into: [:]) { $0[$1.temporary] = given[$1]?.id }
    }

    /// Adds ids; a later id replaces an earlier one for the same temporary id.
    ///
    /// - Parameter entry: nil if other ids of the entry may be forgotten. Otherwise a reader would
    ///   take these for the complete set.
    mutating func add(_ ids: [String: String], with entry: OutboxEntry.ID?, of account: Account?) {
        for (temporary, id) in ids.sorted(by: { $0.key < $1.key }) {
            let name = Name(account: account, temporary: temporary)
            // The old assignment leaves all indexes first.
            remove(name)
            last += 1
            given[name] = Assignment(id: id, entry: entry, number: last)
            if let entry { names[entry, default: []].insert(name) }
            arrivals[last] = name
            numbers.insert(last)
        }
    }

    /// Forgets the ids beyond the newest `size`, whole entries at a time.
    ///
    /// - Returns: the entries, with their accounts.
    mutating func forget(but size: Int) -> [(entry: OutboxEntry.ID, account: Account?)] {
        var forgotten: [(OutboxEntry.ID, Account?)] = []
        // Numbers above `bound` are the newest `size`.
        let bound = last - Int64(size)
        while let head = numbers.head, head <= bound, let name = arrivals[head] {
            // An id without an entry goes alone.
            guard let entry = given[name]?.entry else {
                remove(name)
                continue
            }
            // All ids of an entry go together. A dependent must not take a part of them for all.
            for name in names[entry] ?? [] {
                forgotten.append((entry, name.account))
                remove(name)
            }
        }
        return forgotten
    }

    mutating func removeAll(of account: Account?) {
        for name in given.keys where name.account == account { remove(name) }
    }

    private mutating func remove(_ name: Name) {
        guard let old = given.removeValue(forKey: name) else { return }
        arrivals[old.number] = nil
        numbers.remove(old.number)
        guard let entry = old.entry else { return }
        names[entry]?.remove(name)
        if names[entry]?.isEmpty == true { names[entry] = nil }
    }
}
