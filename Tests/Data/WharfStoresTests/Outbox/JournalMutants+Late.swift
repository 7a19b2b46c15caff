import Synchronization
import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    static let late: [Mutant] = [
        mutant("keeps nothing of what is gone", breaks: "a late answer is kept unless its account was removed") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for settlement in commit.settled where try await base.record(of: settlement.delivery.entry) == nil {
                    (commit.entities, commit.assigned) = ([], [])
                }
            }
        },
        mutant("puts late rows over others", breaks: overtaken) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                try await base.commit(
                    commit.entities.filter { if case .put = $0 { !commit.settled.isEmpty } else { false } })
            }
        },
        mutant("removes late", breaks: overtaken) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                try await base.commit(commit.entities.filter { if case .remove = $0 { true } else { false } })
            }
        },
        mutant("keeps nothing late", breaks: overtaken) {
            $0.commits { [seen = $0.seen] (commit) async throws(StoreError) in
                if commit.settled.contains(where: { seen.last(of: $0.lease.lane) != $0.lease }) { commit.entities = [] }
            }
        },
        mutant("fills nothing for what is settled", breaks: overtaken) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for settlement in commit.settled where try await base.record(of: settlement.delivery.entry) == nil {
                    let known = try await base.rows(commit.entities.map(\.key))
                    commit.entities.removeAll { known[$0.key] != nil }
                }
            }
        },
        mutant("fills for who has lost its lease", breaks: overtaken) {
            $0.commits { [base = $0.base, seen = $0.seen] (commit) async throws(StoreError) in
                for settlement in commit.settled where seen.last(of: settlement.lease.lane) != settlement.lease {
                    let known = try await base.rows(commit.entities.map(\.key))
                    commit.entities.removeAll { known[$0.key] != nil }
                }
            }
        },
        mutant("drops all entities", breaks: oneCommit) { store in
            let removed = noting(&store)
            store.commits { (commit) async throws(StoreError) in
                if removed.isLate(commit.settled) { commit.entities = [] }
            }
        },
        mutant("keeps all if any settlement is good", breaks: oneCommit) { store in
            let removed = noting(&store)
            store.commits { [base = store.base] (commit) async throws(StoreError) in
                if !removed.areAllLate(commit.settled) { try await base.commit(commit.entities) }
            }
        },
        mutant("forgets that an account was removed", breaks: again) {
            $0.remove = { (_) async throws(StoreError) in .none }
        },
        mutant("keeps nothing of who was removed once", breaks: again) { store in
            let removed = noting(&store)
            store.commits { (commit) async throws(StoreError) in
                if removed.isAny { commit.entities = [] }
            }
        },
        mutant("keeps the rows of both", breaks: again) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                if commit.settled.count > 1 { try await base.commit(commit.entities) }
            }
        },
        mutant("drops the ids of both", breaks: again) {
            $0.commits { (commit) async throws(StoreError) in
                if commit.settled.count > 1 { commit.assigned = [] }
            }
        },
    ]

    private static let overtaken = "rows of a delivery that another holder has settled replace no row"
    private static let oneCommit =
        "a commit after an account was removed keeps only what belongs to others"
    private static let again = "an account that signs in again after a removal keeps new answers, and none from before"

    /// Records the accounts that are removed from now on.
    private static func noting(_ store: inout WrongWriteStore) -> RemovedAccounts {
        let removed = RemovedAccounts()
        store.remove = { [base = store.base] (account) async throws(StoreError) in
            removed.insert(account)
            return try await base.removeAll(of: account)
        }
        return removed
    }
}

private final class RemovedAccounts: Sendable {
    private let accounts = Mutex<Set<Account?>>([])

    var isAny: Bool { accounts.withLock { !$0.isEmpty } }

    func insert(_ account: Account?) { accounts.withLock { _ = $0.insert(account) } }

    func isLate(_ settled: [Settlement]) -> Bool {
        accounts.withLock { accounts in settled.contains { accounts.contains($0.lease.lane.account) } }
    }

    func areAllLate(_ settled: [Settlement]) -> Bool {
        accounts.withLock { accounts in settled.allSatisfy { accounts.contains($0.lease.lane.account) } }
    }
}
