package import WharfCore

extension Commit {
    /// Returns the commit without late results of accounts that were removed.
    ///
    /// A result is late if its delivery was in flight when the account was removed. Ids are judged
    /// by the settlements of their entry, and a row by those of its account. A commit may settle
    /// deliveries of an account from before its removal and from after it. It does not tell which
    /// of them a row came with, so no rows of that account are kept.
    ///
    /// Rows of an account may be older than the rows of the store. This is so if each settlement of
    /// the account lost its lease and another owner has settled its delivery since. Such rows are
    /// added under keys without a row, and replace none.
    ///
    /// - Parameters:
    ///   - removed: returns the number of the last lease before an account was removed; nil if it
    ///     never was. It is called once per account.
    ///   - isCurrent: returns whether no other owner has leased the lane since.
    ///   - isSettled: returns whether a delivery is neither waiting nor dead.
    ///   - hasRow: returns whether the store has a row under a key.
    package func keeping(
        _ removed: (Account?) throws -> Int64?, isCurrent: (Lease) throws -> Bool,
        isSettled: (DeliveryID) throws -> Bool, hasRow: (EntityKey) throws -> Bool
    ) rethrows -> Commit {
        if settled.isEmpty || entities.isEmpty && assigned.isEmpty { return self }
        var commit = self
        if !entities.isEmpty {
            // First the results that another owner has overtaken: the rows that came later must
            // stay.
            let byAccount = Dictionary(grouping: settled, by: \.lease.lane.account)
            let overtaken = try byAccount.filter {
                try $0.value.allSatisfy { try !isCurrent($0.lease) && isSettled($0.delivery) }
            }
            if !overtaken.isEmpty {
                commit.entities = try entities.filter { change in
                    guard overtaken[change.key.account] != nil else { return true }
                    // A removal could hit the row that the other owner has put.
                    guard case .put = change else { return false }
                    return try !hasRow(change.key)
                }
            }
        }
        // Then the results from before the removal of their account. Their rows would bring a
        // purged account back.
        var bounds: [Account?: Int64] = [:]
        for account in Set(settled.map(\.lease.lane.account)) { bounds[account] = try removed(account) }
        let isLate = { (settlement: Settlement) in
            bounds[settlement.lease.lane.account].map { settlement.lease.number <= $0 } == true
        }
        let (late, good) = (settled.filter(isLate), settled.filter { !isLate($0) })
        if late.isEmpty { return commit }
        let accounts = Set(late.map(\.lease.lane.account))
        // An entry may have another delivery that is not late. Its ids belong to that one.
        let entries = Set(late.map(\.delivery.entry)).subtracting(good.map(\.delivery.entry))
        commit.entities.removeAll { accounts.contains($0.key.account) }
        commit.assigned.removeAll { entries.contains($0.entry) }
        return commit
    }
}
