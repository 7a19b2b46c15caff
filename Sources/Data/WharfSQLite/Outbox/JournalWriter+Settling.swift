#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

extension JournalWriter {
    mutating func settle(_ settlement: Settlement) throws {
        // An entry that is gone was settled by another process or removed with its account.
        guard var head = try entries.head(settlement.delivery.entry) else { return }
        let destination = settlement.delivery.destination
        switch settlement.outcome {
        case .delivered:
            // A delivery counts under any lease, even after a dead letter: the receiver has it.
            guard try take(head, destination) != nil else { return }
            head.attempted = true
            try putSettled(.delivered, &head, destination)
        case .retry(let time, let failure):
            // A holder whose lease has passed to another must not change the schedule of the new
            // one.
            guard try mayDecide(settlement, head), try postpone(settlement, head, until: time, failure) else { return }
            // From now on the bytes are known under the key.
            try markAttempted(&head)
            reached(.settled)
            return
        case .dead(let failure):
            guard try mayDecide(settlement, head), try die(settlement, head, failure) else { return }
            try markAttempted(&head)
        case .conflict(let failure, let theirs):
            guard try mayDecide(settlement, head), try die(settlement, head, failure, theirs: theirs) else { return }
            try markAttempted(&head)
        }
        reached(.settled)
        try follow(&head)
    }

    /// Whether a delivery neither waits nor is dead, or is gone.
    mutating func isSettled(_ delivery: DeliveryID) throws -> Bool {
        guard let head = try entries.head(delivery.entry) else { return true }
        switch try deliveryState(head, delivery.destination) {
        case .waiting, .pending, .dead: return false
        case .settled, nil: return true
        }
    }

    private mutating func mayDecide(_ settlement: Settlement, _ head: EntryHead) throws -> Bool {
        // The lane is compared too: a lease of another lane may have the same number.
        try settlement.lease.lane == head.lane(to: settlement.delivery.destination) && isCurrent(settlement.lease)
    }

    /// - Returns: whether the delivery was pending.
    private mutating func postpone(
        _ settlement: Settlement, _ head: EntryHead, until time: WallTime, _ failure: DeliveryFailure
    ) throws -> Bool {
        guard let lane = try lane(settlement.lease.lane) else { return false }
        let sql = """
            UPDATE outbox_delivery SET attempts = ?1, first = coalesce(first, ?2), \
            counted = coalesce(counted, CASE WHEN ?1 > attempts THEN ?2 END), last = ?2, next = ?3, failure = ?4, \
            lease = NULL WHERE lane = ?5 AND seq = ?6
            """
        try db.run(sql) { row in
            try row.bind(Int64(settlement.attempts), at: 1)
            try row.bind(settlement.attemptedAt.nanoseconds, at: 2)
            try row.bind(time.nanoseconds, at: 3)
            try row.bind(FailureColumn.bytes(failure), at: 4)
            try row.bind(lane.id, at: 5)
            try row.bind(head.seq, at: 6)
        }
        // The delivery was discarded or delivered meanwhile.
        guard db.changesCount > 0 else { return false }
        change(lane: lane.id)
        return true
    }

    /// - Returns: whether the delivery was pending.
    private mutating func die(
        _ settlement: Settlement, _ head: EntryHead, _ failure: DeliveryFailure, theirs: [UInt8]? = nil
    ) throws -> Bool {
        let destination = settlement.delivery.destination
        guard var row = try takePending(head, destination) else { return false }
        row.attempts = Int64(settlement.attempts)
        row.first = row.first ?? settlement.attemptedAt.nanoseconds
        // The attempt is over, so the dead letter is not on its way.
        row.lease = nil
        try putDead(
            row, head, destination, FailureColumn.bytes(failure), at: settlement.attemptedAt, theirs: theirs)
        return true
    }

    func markAttempted(_ head: inout EntryHead) throws {
        if head.attempted { return }
        head.attempted = true
        try db.run("UPDATE outbox_entry SET attempted = 1 WHERE seq = ?") { try $0.bind(head.seq, at: 1) }
    }

    // MARK: What people decide

    mutating func retry(_ delivery: DeliveryID) throws {
        guard let head = try entries.head(delivery.entry), var row = try takeDead(head, delivery.destination)
        else { return }
        // A person's retry starts the backoff again. `first` stays: the receiver may know the
        // entry.
        row.attempts = 0
        try putPending(row, head, delivery.destination, next: head.enqueuedAt)
    }

    mutating func discard(_ delivery: DeliveryID) throws {
        guard var head = try entries.head(delivery.entry), let row = try take(head, delivery.destination) else {
            return
        }
        // Only durable entries are remembered as discarded. Entries of other classes may be dropped
        // at any time, and dropped ones are not remembered either.
        if row.deliveryClass == DeliveryClass.durable.number { try noteDiscarded(head) }
        // The lease stays with the settled delivery: the holder may still be sending, and
        // `isOnItsWay` must say so.
        try putSettled(.discarded, &head, delivery.destination, lease: row.lease)
        try follow(&head)
        // Last: the entry's own row may be gone by now, and `dependents` needs only its id.
        for dependent in try dependents(of: delivery.entry) { try setAside(dependent, for: .discarded(delivery.entry)) }
    }

    /// Drops a delivery that was pending or waiting.
    mutating func drop(
        _ head: inout EntryHead, _ destination: String, _ reason: DroppedDelivery.Reason
    ) throws -> DroppedDelivery? {
        guard let row = try take(head, destination) else { return nil }
        count(reason, on: row.route)
        try putSettled(SettledState(reason), &head, destination, lease: row.lease)
        try follow(&head)
        return DroppedDelivery(DeliveryID(head.id, to: destination), kind: head.kind, reason)
    }
}
#endif
