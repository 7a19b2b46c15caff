import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    private static let owed = "an entry is owed its ids until a rewrite has filled in exactly these"

    static let owing: [Mutant] = [
        mutant("forgets what it owes", breaks: owed) {
            $0.commits { (commit) async throws(StoreError) in
                for index in commit.assigned.indices { commit.assigned[index].owed = [] }
            }
        },
        mutant("owes to all", breaks: owed) {
            $0.commits { (commit) async throws(StoreError) in
                for index in commit.assigned.indices { commit.assigned[index].owed = commit.assigned[index].dependents }
            }
        },
        mutant("rewrites nothing that is on its way", breaks: owed) {
            $0.commits { (commit) async throws(StoreError) in
                for index in commit.rewritten.indices { commit.rewritten[index].owed = [:] }
            }
        },
        mutant("believes what others say that it owes", breaks: owed) {
            $0.commits { (commit) async throws(StoreError) in
                for index in commit.rewritten.indices where !commit.rewritten[index].owed.isEmpty {
                    commit.rewritten[index].owed = ["t": "1"]
                }
            }
        },
        mutant("owes for ever", breaks: owed) {
            $0.handsOutDeliveries { delivery, _ in if delivery.entry.payload == [9] { delivery.owed = ["t": "1"] } }
        },
        mutant(
            "owes nothing to who comes late",
            breaks: "an entry that comes after its dependency was delivered is owed the ids of that delivery"
        ) { $0.handsOutDeliveries { delivery, _ in delivery.owed = [:] } },
        mutant(
            "takes what was discarded before for delivered",
            breaks: "an entry that comes after its dependency was discarded is a dead letter"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for index in commit.enqueued.indices {
                    for id in commit.enqueued[index].dependencies where try await base.record(of: id) == nil {
                        commit.enqueued[index].dependencies.remove(id)
                    }
                }
            }
        },
        mutant(
            "remembers what was discarded of an account that is gone",
            breaks: "an entry that comes after its dependency was discarded is a dead letter"
        ) { $0.remove = { (_) async throws(StoreError) in .none } },
    ]
}
