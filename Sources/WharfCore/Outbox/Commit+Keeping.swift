extension Commit {
    /// Without what came with the deliveries of accounts that were removed while these were on
    /// their way.
    ///
    /// Ids are judged by the settlements of their entry, and a row by those of its account. A
    /// commit that settles deliveries of an account from before its removal and from after it does
    /// not tell which of them a row came with. So it keeps no rows.
    ///
    /// Rows of an account are older than the rows of the store if each settlement of the account
    /// lost its lease, and another owner has settled its delivery by then. Such rows fill empty
    /// places, and replace none.
    ///
    /// - Parameters:
    ///   - removed: the number of the last lease before an account was removed, nil where it never
    ///     was. Asked once for each account.
    ///   - isCurrent: whether nobody has taken hold of the lane since.
    ///   - isSettled: whether a delivery neither waits nor is dead.
    ///   - hasRow: whether the store has something under a key.
    package func keeping(
        _ removed: (Account?) throws -> Int64?, isCurrent: (Lease) throws -> Bool,
        isSettled: (DeliveryID) throws -> Bool, hasRow: (EntityKey) throws -> Bool
    ) rethrows -> Commit {
        if settled.isEmpty || entities.isEmpty && assigned.isEmpty { return self }
        var commit = self
        if !entities.isEmpty {
            let told = Dictionary(grouping: settled, by: \.lease.lane.account)
            let overtaken = try told.filter {
                try $0.value.allSatisfy { try !isCurrent($0.lease) && isSettled($0.delivery) }
            }
            if !overtaken.isEmpty {
                commit.entities = try entities.filter { change in
                    guard overtaken[change.key.account] != nil else { return true }
                    guard case .put = change else { return false }
                    return try !hasRow(change.key)
                }
            }
        }
        var bounds: [Account?: Int64] = [:]
        for account in Set(settled.map(\.lease.lane.account)) { bounds[account] = try removed(account) }
        let isLate = { (settlement: Settlement) in
            bounds[settlement.lease.lane.account].map { settlement.lease.number <= $0 } == true
        }
        let (late, good) = (settled.filter(isLate), settled.filter { !isLate($0) })
        if late.isEmpty { return commit }
        let accounts = Set(late.map(\.lease.lane.account))
        let entries = Set(late.map(\.delivery.entry)).subtracting(good.map(\.delivery.entry))
        commit.entities.removeAll { accounts.contains($0.key.account) }
        commit.assigned.removeAll { entries.contains($0.entry) }
        return commit
    }
}
