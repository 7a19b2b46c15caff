internal import WharfCore

/// What has to be committed of one turn at a lane: the settlements of a call, and all that follows
/// from them.
struct Parcel: Sendable {
    /// Ids that came with a delivery.
    struct Assigned: Sendable {
        let entry: OutboxEntry.ID
        let ids: [String: String]
        /// Who gave them.
        let destination: String
        /// All that were registered then, by name: one of them can read what the ids go into.
        let destinations: [String: any Destination]
    }

    var settled: [Settlement] = []
    var entities: [EntityChange] = []
    var rewritten: [Rewrite] = []
    var assigned: [Assigned] = []
    var released: Lease?

    /// What one answer adds.
    mutating func add(
        _ consequence: Consequence, of attempt: Attempt, _ answer: Delivery, under lease: Lease,
        among destinations: [String: any Destination]
    ) {
        if let settlement = attempt.settlement(consequence, under: lease) { settled.append(settlement) }
        entities += answer.entities
        switch consequence {
        case .merged(let rewrite, _, _), .filledIn(let rewrite): rewritten.append(rewrite)
        case .delivered where !answer.assignedIDs.isEmpty:
            let id = attempt.pending.id
            assigned.append(
                Assigned(
                    entry: id.entry, ids: answer.assignedIDs, destination: id.destination, destinations: destinations))
        case .delivered, .retry, .held, .abandoned, .conflict, .dead: break
        }
    }
}

extension [Parcel] {
    /// All of them in one commit, but what depends on what is in the journal.
    var commit: Commit {
        var commit = Commit()
        for parcel in self {
            commit.entities += parcel.entities
            commit.settled += parcel.settled
            commit.rewritten += parcel.rewritten
            if let lease = parcel.released { commit.released.append(lease) }
        }
        return commit
    }
}
