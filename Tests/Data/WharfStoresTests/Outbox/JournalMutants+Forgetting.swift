import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    private static let forgotten = "an entry whose dependency may be forgotten is a dead letter"

    static let forgetting: [Mutant] = [
        mutant("remembers for ever", breaks: forgotten, base: { MemoryWriteStore(uptime: $0) }) { _ in },
        mutant("remembers one less", breaks: forgotten, base: { MemoryWriteStore(remembering: 2, uptime: $0) }) { _ in
        },
        mutant("takes what it has forgotten for delivered", breaks: forgotten) { forgive(&$0) },
        mutant(
            "takes what is here for what it knows",
            breaks: "an entry whose dependency is here, but may have assigned forgotten ids, is a dead letter"
        ) { forgive(&$0) },
        mutant(
            "takes those of before for delivered",
            breaks:
                "ids of one entry are forgotten together, and the newest forgotten entry is known"
        ) { forgive(&$0) },
        mutant(
            "forgets one id after the other",
            breaks:
                "ids of one entry are forgotten together, and the newest forgotten entry is known"
        ) {
            $0.assignedIDs = { (_, _) async throws(StoreError) in ["u": "1"] }
        },
        mutant(
            "takes for all what it knows",
            breaks: "ids that come after others of their entry were forgotten do not count as all of them"
        ) { forgive(&$0) },
        mutant(
            "does not remember what comes too late",
            breaks: "ids that come after others of their entry were forgotten do not count as all of them"
        ) {
            $0.commits { (commit) async throws(StoreError) in commit.assigned.removeAll { $0.ids["b"] != nil } }
        },
        mutant(
            "remembers what comes too late for ever",
            breaks: "ids that come after others of their entry were forgotten do not count as all of them"
        ) { store in
            store.assignedIDs = { [base = store.base] (ids, account) async throws(StoreError) in
                var found = try await base.assignedIDs(for: ids, of: account)
                if ids.contains("t2000") { found["b"] = "1" }
                return found
            }
        },
        mutant(
            "remembers that it has forgotten of an account that is gone",
            breaks: "an account that is removed has no forgotten entries"
        ) { $0.remove = { (_) async throws(StoreError) in .none } },
    ]

    /// Retries at once the dead letters whose dependency is forgotten.
    private static func forgive(_ store: inout WrongWriteStore) {
        store.commit = { [base = store.base] (commit) async throws(StoreError) in
            let committed = try await base.commit(commit)
            var again = Commit()
            again.retried = try await base.deadLetters(of: nil, after: nil, limit: .max)
                .filter { $0.failure.code == .dependencyForgotten }.map(\.id)
            if !again.retried.isEmpty { try await base.commit(again) }
            return committed
        }
    }
}
