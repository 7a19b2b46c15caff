extension Commit {
    /// Without what came with the deliveries of accounts that were removed while these were on their way.
    ///
    /// Ids are judged by the settlements of their entry, a pause by those of its failure, and a row by those of its account: where
    /// a commit settles something of an account from before its removal and something from after it, it does not tell which
    /// of them a row came with, and none is kept.
    ///
    /// Nor does a pause count of which only those tell who have lost their leases: somebody may have signed in since.
    ///
    /// - Parameters:
    ///   - removed: the number of the last lease before an account was removed, nil where it never was. Asked once for each
    ///     account.
    ///   - isCurrent: whether nobody has taken hold of the lane since.
    package func keeping(
        _ removed: (Account?) throws -> Int64?, isCurrent: (Lease) throws -> Bool
    ) rethrows -> Commit {
        if settled.isEmpty || entities.isEmpty && assigned.isEmpty && paused.isEmpty { return self }
        var bounds: [Account?: Int64] = [:]
        for account in Set(settled.map(\.lease.lane.account)) { bounds[account] = try removed(account) }
        let isLate = { (settlement: Settlement) in
            bounds[settlement.lease.lane.account].map { settlement.lease.number <= $0 } == true
        }
        let (late, good) = (settled.filter(isLate), settled.filter { !isLate($0) })
        if late.isEmpty && paused.isEmpty { return self }
        let accounts = Set(late.map(\.lease.lane.account))
        let entries = Set(late.map(\.delivery.entry)).subtracting(good.map(\.delivery.entry))
        var commit = self
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
