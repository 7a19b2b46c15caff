extension Commit {
    /// Without what came with the deliveries of accounts that were removed while these were on their way.
    ///
    /// Ids are judged by the settlements of their entry, a pause by those of its failure, and a row by those of its account: where
    /// a commit settles something of an account from before its removal and something from after it, it does not tell which
    /// of them a row came with, and none is kept.
    ///
    /// Nor does a pause count of which only those tell who have lost their leases: somebody may have signed in since. Rows of
    /// accounts of which only those tell who have lost their leases, of deliveries that others have settled by then, are older
    /// than what may be there: they fill what is empty, and no more.
    ///
    /// - Parameters:
    ///   - removed: the number of the last lease before an account was removed, nil where it never was. Asked once for each
    ///     account.
    ///   - isCurrent: whether nobody has taken hold of the lane since.
    ///   - isSettled: whether a delivery neither waits nor is dead.
    ///   - hasRow: whether the store has something under a key.
    package func keeping(
        _ removed: (Account?) throws -> Int64?, isCurrent: (Lease) throws -> Bool,
        isSettled: (DeliveryID) throws -> Bool, hasRow: (EntityKey) throws -> Bool
    ) rethrows -> Commit {
        if settled.isEmpty || entities.isEmpty && assigned.isEmpty && paused.isEmpty { return self }
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
        if late.isEmpty && paused.isEmpty { return commit }
        let accounts = Set(late.map(\.lease.lane.account))
        let entries = Set(late.map(\.delivery.entry)).subtracting(good.map(\.delivery.entry))
        commit.entities.removeAll { accounts.contains($0.key.account) }
        commit.assigned.removeAll { entries.contains($0.entry) }
        commit.paused = try paused.filter { account, failure in
            let told = settled.filter { $0.lease.lane.account == account && $0.verdict.failure == failure }
            if told.isEmpty { return !accounts.contains(account) }
            return try told.contains { try !isLate($0) && isCurrent($0.lease) }
        }
        return commit
    }
}

extension Settlement.Verdict {
    fileprivate var failure: DeliveryFailure? {
        switch self {
        case .delivered: nil
        case .retry(_, let failure), .dead(let failure), .conflict(let failure, _): failure
        }
    }
}
