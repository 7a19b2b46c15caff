#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

extension JournalWriter {
    /// - Parameter owners: provides the owner of the leases; nil for leases that end by time alone.
    mutating func lease(_ request: LeaseRequest, at uptime: Uptime, for owners: LeaseOwners?) throws -> LeaseResult {
        // Read in this transaction: a pause that another process has committed holds from the next
        // lease on.
        let request = try JournalReader(db: db).unpaused(request)
        try meetConditions(of: request.account, by: request.now)
        // The conditions that were met have changed lanes, which the search for due lanes reads.
        try flush()
        try forgetEmptyLanes(request, at: uptime)
        let due = try JournalReader(db: db).due(request, at: uptime)
        var leased = LeaseResult()
        if due.isEmpty { return leased }
        // The owner's lock is held before its number is in the file. In the other order another
        // process would find it dead.
        let owner = try owners?.own()
        // The numbers are fencing tokens: each new lease of a lane has a greater one.
        let first = try JournalCounters(db: db).lease(due.count)
        for (index, lane) in due.enumerated() {
            let name = Lease.Lane(account: request.account, name: lane.name, destination: lane.filter.destination)
            let lease = Lease(lane: name, number: first + Int64(index))
            leased.lanes.append(try take(lane, under: lease, of: owner, request, at: uptime, expired: &leased.expired))
            reached(.leased)
        }
        try flush()
        return leased
    }

    /// Ends the leases of dead owners.
    ///
    /// - Returns: whether there were any.
    mutating func endLeases(ofDead owners: LeaseOwners) throws -> Bool {
        let dead = try JournalReader(db: db).owners(but: owners.number).filter(owners.isDead)
        for owner in dead {
            // The lease counts as run out, and not as released (`until` NULL). Its entries may have
            // been sent. A rewrite before their settlement would put other bytes under a key that
            // the receiver knows.
            let sql = """
                UPDATE outbox_lane INDEXED BY outbox_held SET until = ?, owner = NULL \
                WHERE until IS NOT NULL AND owner = ?
                """
            try db.run(sql) { row in
                try row.bind(Int64.min, at: 1)
                try row.bind(owner, at: 2)
            }
        }
        return !dead.isEmpty
    }

    /// Removes empty lanes that a dead owner did not release after its last settlement.
    private mutating func forgetEmptyLanes(_ request: LeaseRequest, at uptime: Uptime) throws {
        let sql = """
            DELETE FROM outbox_lane INDEXED BY outbox_held WHERE until IS NOT NULL AND head IS NULL \
            AND (boot <> ? OR until <= ?) AND account = ? AND destination = ?
            """
        for filter in request.destinations {
            try db.run(sql) { row in
                try row.bind(uptime.boot, at: 1)
                try row.bind(uptime.nanoseconds, at: 2)
                try row.bind(RowKey.account(request.account), at: 3)
                try row.bind(filter.destination, at: 4)
            }
        }
        // Cached lanes may be deleted now.
        forgetLanes()
    }

    private mutating func take(
        _ lane: DueLane, under lease: Lease, of owner: Int64?, _ request: LeaseRequest,
        at uptime: Uptime, expired: inout [DroppedDelivery]
    ) throws -> LeasedLane {
        let (taken, late) = try JournalReader(db: db).front(of: lane, request)
        let until = uptime + request.duration
        try db.run("UPDATE outbox_lane SET lease = ?, boot = ?, until = ?, upto = ?, owner = ? WHERE id = ?") { row in
            try row.bind(lease.number, at: 1)
            try row.bind(until.boot, at: 2)
            try row.bind(until.nanoseconds, at: 3)
            try row.bind(taken.last?.seq ?? 0, at: 4)
            try row.bind(owner, at: 5)
            try row.bind(lane.id, at: 6)
        }
        // The cached row has the lane's old lease.
        forget(lease.lane)
        for seq in late {
            guard var head = try entries.head(seq),
                let dropped = try drop(&head, lease.lane.destination, .expired)
            else { continue }
            expired.append(dropped)
        }
        // The expired entries are gone, so the front of the lane is exactly the taken entries.
        if let last = taken.last {
            try db.run("UPDATE outbox_delivery SET lease = ? WHERE lane = ? AND seq <= ?") { row in
                try row.bind(lease.number, at: 1)
                try row.bind(lane.id, at: 2)
                try row.bind(last.seq, at: 3)
            }
        }
        return LeasedLane(lease: lease, deliveries: taken.map(\.delivery))
    }

    mutating func extend(_ leases: [Lease], at uptime: Uptime, for duration: Duration) throws -> Set<Lease> {
        let until = uptime + duration
        var held: Set<Lease> = []
        for lease in leases {
            let sql = """
                UPDATE outbox_lane SET until = ?1 WHERE account = ?2 AND name = ?3 AND destination = ?4 AND lease = ?5 \
                AND boot = ?6 AND until > ?7
                """
            try db.run(sql) { row in
                try row.bind(until.nanoseconds, at: 1)
                try row.bind(lease.lane, at: 2)
                try row.bind(lease.number, at: 5)
                try row.bind(uptime.boot, at: 6)
                try row.bind(uptime.nanoseconds, at: 7)
            }
            // No row: another owner has the lane, it was released, or it has run out. A lease that
            // ran out may be another engine's by now.
            if db.changesCount > 0 { held.insert(lease) }
        }
        return held
    }
}
#endif
