import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension JournalMutants {
    static let settling: [Mutant] = [
        mutant("keeps what is delivered", breaks: "an entry that is delivered everywhere is gone") {
            $0.settles { settlement in
                guard settlement.outcome == .delivered else { return }
                settlement.outcome = .dead(DeliveryFailure(.exhausted, message: "delivered"))
            }
        },
        mutant("counts each attempt as the first", breaks: "a retry keeps its attempts, its times and its failure") {
            $0.settles { $0.attempts = 1 }
        },
        mutant("keeps the last attempt's time", breaks: "a retry keeps its attempts, its times and its failure") {
            $0.handsOutDeliveries { delivery, request in
                if delivery.firstAttempt != nil { delivery.firstAttempt = request.now }
            }
        },
        mutant(
            "counts since the first attempt",
            breaks: "attempts count since the first that counts, and anew since a manual retry"
        ) { $0.handsOutDeliveries { delivery, _ in delivery.countedSince = delivery.firstAttempt } },
        mutant(
            "does not say since when attempts count",
            breaks: "attempts count since the first that counts, and anew since a manual retry"
        ) { $0.handsOutDeliveries { delivery, _ in delivery.countedSince = nil } },
        mutant(
            "counts on when a person retries",
            breaks: "attempts count since the first that counts, and anew since a manual retry"
        ) {
            $0.handsOutDeliveries { [seen = $0.seen] delivery, _ in
                delivery.countedSince = seen.firstCounted(delivery)
            }
        },
        mutant(
            "forgets what the receiver has",
            breaks: "a dead letter has its attempts, its failure and the receiver's version"
        ) {
            $0.settles { if case .conflict(let failure, _) = $0.outcome { $0.outcome = .dead(failure) } }
        },
        mutant("dies at another time", breaks: "a dead letter has its attempts, its failure and the receiver's version")
        {
            $0.settles { $0.attemptedAt = $0.attemptedAt + .nanoseconds(1) }
        },
        mutant(
            "takes the word of anybody",
            breaks: "a settlement under a lease that has passed on is taken only if it is a delivery"
        ) {
            $0.settles { [seen = $0.seen] settlement in
                settlement.lease = seen.last(of: settlement.lease.lane) ?? settlement.lease
            }
        },
        mutant(
            "takes nothing late",
            breaks: "a settlement under a lease that has passed on is taken only if it is a delivery"
        ) {
            $0.commits { [seen = $0.seen] (commit) async throws(StoreError) in
                commit.settled.removeAll { seen.last(of: $0.lease.lane) != $0.lease }
            }
        },
        mutant(
            "takes nothing after a lease has run out",
            breaks: "a settlement after its lease has expired is taken unless another holder has the lane"
        ) {
            $0.commits { [seen = $0.seen] (commit) async throws(StoreError) in
                commit.settled.removeAll { seen.hasRunOut($0.lease) }
            }
        },
        mutant("expects what it settles", breaks: "a settlement of an entry that is gone is no error") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for settlement in commit.settled where try await base.record(of: settlement.delivery.entry) == nil {
                    throw StoreError(.failed, message: "nothing to settle")
                }
            }
        },
    ]

    static let waiting: [Mutant] = [
        mutant("waits for nobody", breaks: "an entry waits until its dependency is delivered everywhere") {
            $0.enqueues { $0.dependencies = [] }
        },
        mutant("waits for one destination", breaks: "an entry waits until its dependency is delivered everywhere") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                try await Self.settleEverywhere(&commit, base.record)
            }
        },
        mutant("waits for what never was", breaks: "a dependency that is not in the journal counts as delivered") {
            $0.handsOut { lane, _ in lane.deliveries.allSatisfy { $0.entry.dependencies.isEmpty } }
        },
        mutant(
            "takes the dead for delivered",
            breaks: "an entry that depends on a dead letter waits until that is delivered"
        ) {
            $0.settles { if case .dead = $0.outcome { $0.outcome = .delivered } }
        },
        mutant(
            "takes what is discarded for delivered",
            breaks: "an entry that depends on a discarded one becomes a dead letter, and no other does"
        ) {
            $0.commits { (commit) async throws(StoreError) in
                commit.settled += commit.discarded.map { delivery in
                    let lease = Lease(lane: .init(name: "", destination: ""), number: 0)
                    return Settlement(delivery, under: lease, .delivered, attempts: 0, attemptedAt: .distantPast)
                }
                commit.discarded = []
            }
        },
        mutant(
            "discards what depends on it as well",
            breaks: "an entry that depends on a discarded one becomes a dead letter, and no other does"
        ) {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for delivery in commit.discarded {
                    for entry in try await base.dependents(of: delivery.entry) {
                        commit.discarded += entry.targets.map { DeliveryID(entry.id, to: $0.destination) }
                    }
                }
            }
        },
        mutant(
            "tells dependents backwards",
            breaks: "dependents are those that were never attempted, in the order of their commits"
        ) {
            $0.dependents = { [base = $0.base] (entry) async throws(StoreError) in
                try await base.dependents(of: entry).reversed()
            }
        },
        mutant(
            "tells of those that were attempted",
            breaks: "dependents are those that were never attempted, in the order of their commits"
        ) {
            $0.dependents = { [base = $0.base] (entry) async throws(StoreError) in
                try await base.records(of: nil, after: nil, limit: .max).map(\.entry)
                    .filter { $0.dependencies.contains(entry) }
            }
        },
        mutant("assigns ids for everybody", breaks: "assigned ids are kept for the account, after the entry is gone") {
            $0.assignedIDs = { [base = $0.base] (ids, _) async throws(StoreError) in
                try await base.assignedIDs(for: ids, of: Account("me"))
            }
        },
        mutant("tells all ids", breaks: "assigned ids are kept for the account, after the entry is gone") {
            $0.assignedIDs = { [base = $0.base] (_, account) async throws(StoreError) in
                try await base.assignedIDs(for: ["t1", "t2"], of: account)
            }
        },
        mutant("does not look for dependents", breaks: "an assignment that has missed a dependent changes nothing") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for index in commit.assigned.indices {
                    let all = try await base.dependents(of: commit.assigned[index].entry)
                    commit.assigned[index].dependents.formUnion(all.map(\.id))
                }
            }
        },
        mutant("writes entities first", breaks: "an assignment that has missed a dependent changes nothing") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in try await base.commit(commit.entities) }
        },
        mutant("rewrites what was attempted", breaks: "bytes under a key never change once they were on their way") {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                for index in commit.rewritten.indices where commit.rewritten[index].key == nil {
                    commit.rewritten[index].key = try await base.record(of: commit.rewritten[index].entry)?.entry.key
                }
            }
        },
        mutant(
            "rewrites whatever payload there is",
            breaks: "a rewrite that expects another payload than the entry has is refused"
        ) {
            $0.commits { (commit) async throws(StoreError) in
                for index in commit.rewritten.indices { commit.rewritten[index].expected = nil }
            }
        },
        mutant("drops a rewrite of what is gone", breaks: "bytes under a key never change once they were on their way")
        {
            $0.commits { [base = $0.base] (commit) async throws(StoreError) in
                var kept: [Rewrite] = []
                for rewrite in commit.rewritten where try await base.record(of: rewrite.entry) != nil {
                    kept.append(rewrite)
                }
                commit.rewritten = kept
            }
        },
    ]

    /// Settles each entry as if it had a single delivery.
    static func settleEverywhere(
        _ commit: inout Commit, _ record: (OutboxEntry.ID) async throws(StoreError) -> OutboxRecord?
    ) async throws(StoreError) {
        for settlement in commit.settled where settlement.outcome == .delivered {
            for target in try await record(settlement.delivery.entry)?.entry.targets ?? [] {
                var other = settlement
                other.delivery.destination = target.destination
                commit.settled.append(other)
            }
        }
    }
}
