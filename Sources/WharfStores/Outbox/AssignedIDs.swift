internal import WharfCore

/// Ids that receivers gave in the place of temporary ones, and with which entries they came.
struct AssignedIDs {
    private struct Name: Hashable {
        let account: Account?
        let temporary: String
    }

    private struct Given {
        let id: String
        let entry: OutboxEntry.ID?
        let number: Int64
    }

    private var given: [Name: Given] = [:]
    private var names: [OutboxEntry.ID: Set<Name>] = [:]
    /// In the order in which they came.
    private var arrivals: [Int64: Name] = [:]
    private var numbers = PositionQueue()
    private var last: Int64 = 0

    func ids(for temporary: Set<String>, of account: Account?) -> [String: String] {
        temporary.reduce(into: [:]) { $0[$1] = given[Name(account: account, temporary: $1)]?.id }
    }

    /// By the temporary ones.
    func ids(with entry: OutboxEntry.ID) -> [String: String] {
        (names[entry] ?? []).reduce(into: [:]) { $0[$1.temporary] = given[$1]?.id }
    }

    /// Later ones take the places of others.
    ///
    /// - Parameter entry: nil where others that came with it may be forgotten: nobody is to take
    ///   these for all.
    mutating func add(_ ids: [String: String], with entry: OutboxEntry.ID?, of account: Account?) {
        for (temporary, id) in ids.sorted(by: { $0.key < $1.key }) {
            let name = Name(account: account, temporary: temporary)
            remove(name)
            last += 1
            given[name] = Given(id: id, entry: entry, number: last)
            if let entry { names[entry, default: []].insert(name) }
            arrivals[last] = name
            numbers.insert(last)
        }
    }

    /// Forgets all ids of each entry of which one is not among the last so many that came.
    ///
    /// - Returns: the entries, and whose they were.
    mutating func forget(but size: Int) -> [(entry: OutboxEntry.ID, account: Account?)] {
        var forgotten: [(OutboxEntry.ID, Account?)] = []
        let bound = last - Int64(size)
        while let head = numbers.head, head <= bound, let name = arrivals[head] {
            guard let entry = given[name]?.entry else {
                remove(name)
                continue
            }
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
