#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

extension JournalWriter {
    /// Writes leases that were handed out or extended while the disk was full.
    ///
    /// - Returns: the leases in the journal, by the numbers under which they were handed out. One
    ///   is missing if another process has leased the lane since.
    mutating func write(_ unwritten: [UnwrittenLeases.HeldLane], for owners: LeaseOwners?) throws -> [Int64: Lease] {
        var written: [Int64: Lease] = [:]
        // Without a lock file the lease ends by time alone, so its error must not fail the commit.
        let owner = unwritten.contains { $0.upTo != nil } ? try? owners?.own() : nil
        for held in unwritten {
            let number = held.lease.number
            if let upTo = held.upTo {
                written[number] = try begin(held, upTo: upTo, of: owner)
            } else if let before = held.before, try extend(held, before) {
                written[number] = Lease(lane: held.lease.lane, number: before)
            }
        }
        forgetLanes()
        return written
    }

    /// - Returns: nil if another process has leased the lane since.
    private mutating func begin(
        _ held: UnwrittenLeases.HeldLane, upTo: Int64, of owner: Int64?
    ) throws -> Lease? {
        // The journal decides: if the number has changed, another process has sent or is sending
        // these entries.
        guard let lane = try lane(held.lease.lane), lane.lease == held.before else { return nil }
        let number = try JournalCounters(db: db).lease(1)
        try db.run("UPDATE outbox_lane SET lease = ?, boot = ?, until = ?, upto = ?, owner = ? WHERE id = ?") { row in
            try row.bind(number, at: 1)
            try row.bind(held.until.boot, at: 2)
            try row.bind(held.until.nanoseconds, at: 3)
            try row.bind(upTo, at: 4)
            try row.bind(owner, at: 5)
            try row.bind(lane.id, at: 6)
        }
        try db.run("UPDATE outbox_delivery SET lease = ? WHERE lane = ? AND seq <= ?") { row in
            try row.bind(number, at: 1)
            try row.bind(lane.id, at: 2)
            try row.bind(upTo, at: 3)
        }
        return Lease(lane: held.lease.lane, number: number)
    }

    /// - Returns: whether the lane has not passed to another process since.
    private func extend(_ held: UnwrittenLeases.HeldLane, _ number: Int64) throws -> Bool {
        let sql = """
            UPDATE outbox_lane SET boot = ?1, until = ?2 WHERE account = ?3 AND name = ?4 AND destination = ?5 \
            AND lease = ?6 AND until IS NOT NULL
            """
        try db.run(sql) { row in
            try row.bind(held.until.boot, at: 1)
            try row.bind(held.until.nanoseconds, at: 2)
            try row.bind(held.lease.lane, at: 3)
            try row.bind(number, at: 6)
        }
        return db.changesCount > 0
    }
}

extension JournalReader {
    /// Whether a lease is the last one of its lane and has not run out.
    func isGood(_ lease: Lease, at uptime: Uptime) throws -> Bool {
        let sql = """
            SELECT 1 FROM outbox_lane WHERE account = ?1 AND name = ?2 AND destination = ?3 AND lease = ?4 \
            AND boot = ?5 AND until > ?6
            """
        return try db.query(sql) { row in
            try row.bind(lease.lane, at: 1)
            try row.bind(lease.number, at: 4)
            try row.bind(uptime.boot, at: 5)
            try row.bind(uptime.nanoseconds, at: 6)
            return try row.step()
        }
    }

    /// The number of a lane's last lease; nil if the lane was never leased.
    func lastLease(of lane: Int64) throws -> Int64? {
        try db.query("SELECT lease FROM outbox_lane WHERE id = ?") { row in
            try row.bind(lane, at: 1)
            return try row.step() ? row.optionalInteger(0) : nil
        }
    }
}
#endif
