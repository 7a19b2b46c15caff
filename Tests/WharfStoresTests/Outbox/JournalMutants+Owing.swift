import WharfChecks
import WharfCore
import WharfStores

extension JournalMutants {
    private static let owed = "ids that nobody could put in are owed to an entry until a rewrite says that it has them"

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
            breaks: "who comes after what it depends on is owed the ids that came with that"
        ) { $0.handsOutDeliveries { delivery, _ in delivery.owed = [:] } },
        mutant(
            "takes what was discarded before for delivered",
            breaks: "who comes after what it depends on was discarded is a dead letter"
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
            breaks: "who comes after what it depends on was discarded is a dead letter"
        ) { $0.remove = { (_) async throws(StoreError) in .none } },
    ]
}
