internal import WharfCore
internal import WharfStorage

/// The settlements of one call of a destination, with all their consequences.
struct SettlementBatch: Sendable {
    /// The ids that a receiver assigned with a delivery.
    struct AssignedIDs: Sendable {
        let entry: OutboxEntry.ID
        let ids: [String: String]
        /// The destination that assigned them.
        let destination: String
        /// All destinations registered at that time, by name. One of them can read the dependent
        /// payloads.
        let destinations: [String: any Destination]
    }

    var settled: [Settlement] = []
    var entities: [EntityChange] = []
    var rewritten: [Rewrite] = []
    var assigned: [AssignedIDs] = []
    var released: Lease?

    /// Adds the consequence of one answer.
    mutating func add(
        _ outcome: AttemptOutcome, of attempt: Attempt, _ answer: Delivery, under lease: Lease,
        among destinations: [String: any Destination]
    ) {
        // A fill-in settles nothing: its entry stays due, with the ids in its payload.
        if let settlement = attempt.settlement(outcome, under: lease) { settled.append(settlement) }
        entities += answer.entities
        switch outcome {
        case .merged(let rewrite, _, _), .filledIn(let rewrite): rewritten.append(rewrite)
        case .delivered where !answer.assignedIDs.isEmpty:
            let id = attempt.pending.id
            assigned.append(
                AssignedIDs(
                    entry: id.entry, ids: answer.assignedIDs, destination: id.destination, destinations: destinations))
        case .delivered, .retry, .held, .abandoned, .conflict, .dead: break
        }
    }
}

extension [SettlementBatch] {
    /// One commit of all batches. Dependents are rewritten later, from the journal.
    var commit: Commit {
        var commit = Commit()
        for batch in self {
            commit.entities += batch.entities
            commit.settled += batch.settled
            commit.rewritten += batch.rewritten
            if let lease = batch.released { commit.released.append(lease) }
        }
        return commit
    }
}
