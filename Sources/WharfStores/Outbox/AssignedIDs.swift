internal import WharfCore

/// Ids that receivers gave in the place of temporary ones, and with which entries they came.
struct AssignedIDs {
    private struct Name: Hashable {
        let account: Account?
        let temporary: String
    }

    private var given: [Name: (id: String, entry: OutboxEntry.ID)] = [:]
    private var names: [OutboxEntry.ID: Set<Name>] = [:]

    func ids(for temporary: Set<String>, of account: Account?) -> [String: String] {
        temporary.reduce(into: [:]) { $0[$1] = given[Name(account: account, temporary: $1)]?.id }
    }

    /// By the temporary ones.
    func ids(with entry: OutboxEntry.ID) -> [String: String] {
        (names[entry] ?? []).reduce(into: [:]) { $0[$1.temporary] = given[$1]?.id }
    }

    /// Later ones take the places of others.
    mutating func add(_ ids: [String: String], with entry: OutboxEntry.ID, of account: Account?) {
        for (temporary, id) in ids {
            let name = Name(account: account, temporary: temporary)
            if let old = given.updateValue((id, entry), forKey: name) { remove(name, of: old.entry) }
            names[entry, default: []].insert(name)
        }
    }

    mutating func removeAll(of account: Account?) {
        for (name, value) in given where name.account == account {
            given[name] = nil
            remove(name, of: value.entry)
        }
    }

    private mutating func remove(_ name: Name, of entry: OutboxEntry.ID) {
        names[entry]?.remove(name)
        if names[entry]?.isEmpty == true { names[entry] = nil }
    }
}
