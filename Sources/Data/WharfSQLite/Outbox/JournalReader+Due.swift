#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// A lane that can be leased now.
struct DueLane {
    let id: Int64
    let name: String
    let filter: LeaseRequest.DestinationFilter
    /// The ids of the route's kinds in `outbox_route`.
    let kinds: Set<Int64>
    let since: WallTime
    /// The position of the first entry.
    let head: Int64
}

extension JournalReader {
    /// Returns the lanes that have been due longest, up to the requested number.
    func due(_ request: LeaseRequest, at uptime: Uptime) throws -> [DueLane] {
        guard request.lanes > 0 else { return [] }
        var due: [DueLane] = []
        for filter in request.destinations {
            let kinds = try routeIDs(filter, of: request.account)
            // One walk per kind: the index begins with the route.
            for kind in kinds { due += try self.due(kind, filter, Set(kinds), request, at: uptime) }
        }
        // The order over all routes. The position breaks ties.
        due.sort { ($0.since, $0.head, $0.filter.destination) < ($1.since, $1.head, $1.filter.destination) }
        // A request may name a destination twice.
        var ids: Set<Int64> = []
        return Array(due.filter { ids.insert($0.id).inserted }.prefix(request.lanes))
    }

    /// Returns the ids of a route's kinds that were ever enqueued.
    func routeIDs(_ filter: LeaseRequest.DestinationFilter, of account: Account?) throws -> [Int64] {
        try db.query("SELECT id, kind FROM outbox_route WHERE account = ? AND destination = ?") { row in
            try row.bind(RowKey.account(account), at: 1)
            try row.bind(filter.destination, at: 2)
            var ids: [Int64] = []
            while try row.step() {
                // Kinds are filtered here: SQL's list of them would differ with each request.
                if filter.kinds.contains(row.text(1)) { ids.append(row.integer(0)) }
            }
            return ids
        }
    }

    // MARK: Owners

    /// Returns the owners of the leases that were not released, except one.
    ///
    /// - Complexity: O(n) in the held lanes.
    func owners(but own: Int64?) throws -> [Int64] {
        let sql = """
            SELECT DISTINCT owner FROM outbox_lane INDEXED BY outbox_held \
            WHERE until IS NOT NULL AND owner IS NOT NULL AND owner IS NOT ?
            """
        return try db.query(sql) { row in
            try row.bind(own, at: 1)
            return try row.integers()
        }
    }

    func hasLeases(of owner: Int64) throws -> Bool {
        let sql = "SELECT 1 FROM outbox_lane INDEXED BY outbox_held WHERE until IS NOT NULL AND owner = ? LIMIT 1"
        return try db.query(sql) { row in
            try row.bind(owner, at: 1)
            return try row.step()
        }
    }

    // MARK: Lanes

    static func lanes(by index: String = "outbox_due") -> String {
        """
        SELECT id, name, head, ready, tried, head_at, pending, bytes FROM outbox_lane INDEXED BY \(index) \
        WHERE route = ?1
        """
    }

    /// The statements for lanes whose time has come, in the order of due times.
    static let inTime = [
        "\(lanes()) AND fresh = 1 AND ready <= ?4 AND \(isFree) ORDER BY ready, head LIMIT ?5",
        "\(lanes()) AND fresh = 0 AND ready <= ?4 AND \(isFree) ORDER BY ready, head LIMIT ?5",
    ]
    /// The statements for lanes that are early because the clock was set back.
    ///
    /// They are due since now.
    static let tooEarly = [
        // These run only if few lanes' time has come. So the walk along the index skips few lanes.
        "\(lanes(by: "outbox_fresh")) AND fresh = 1 AND ready > ?4 AND \(isFree) ORDER BY head LIMIT ?5",
        "\(lanes(by: "outbox_tried")) AND tried > ?4 AND ready > ?4 AND \(isFree) ORDER BY head LIMIT ?5",
    ]
    // A lease of an earlier boot has ended, because its time is that boot's uptime.
    static let isFree = "(until IS NULL OR boot <> ?2 OR until <= ?3)"

    private func due(
        _ kind: Int64, _ filter: LeaseRequest.DestinationFilter, _ kinds: Set<Int64>, _ request: LeaseRequest,
        at uptime: Uptime
    ) throws -> [DueLane] {
        var due: [DueLane] = []
        func look(_ sql: String) throws {
            var found = 0
            // The lanes to leave out may come before all others.
            // The sum of two counts from the caller may overflow.
            let most = request.lanes.addingReportingOverflow(request.except.count)
            try eachLane(
                sql, of: kind, filter, kinds, request, at: uptime, limit: most.overflow ? .max : most.partialValue
            ) { row, since in
                let name = row.text(1)
                // A batch may wait to fill, so a lane of the statement may not be due yet.
                guard since <= request.now, !request.leavesOut(name, filter) else { return true }
                due.append(
                    DueLane(
                        id: row.integer(0), name: name, filter: filter, kinds: kinds, since: since, head: row.integer(2)
                    ))
                found += 1
                // While batches wait, a later row may be due earlier.
                return found < request.lanes || filter.limits.wait > .zero
            }
        }
        // Lanes whose time has come, then lanes that are early because the clock was set back.
        for sql in Self.inTime { try look(sql) }
        // Lanes that are due since now sort behind these.
        if due.count(where: { $0.since < request.now }) >= request.lanes { return due }
        // Looked up first: otherwise the walk along `outbox_fresh` would pass all fresh lanes in
        // vain.
        if try hasFreshAhead(of: request.now, kind) { try look(Self.tooEarly[0]) }
        try look(Self.tooEarly[1])
        return due
    }

    private func hasFreshAhead(of now: WallTime, _ kind: Int64) throws -> Bool {
        let sql = "SELECT 1 FROM outbox_lane INDEXED BY outbox_due WHERE route = ? AND fresh = 1 AND ready > ? LIMIT 1"
        return try db.query(sql) { row in
            try row.bind(kind, at: 1)
            try row.bind(now.nanoseconds, at: 2)
            return try row.step()
        }
    }

    /// Calls a function with each lane that a statement finds, and the lane's due time.
    ///
    /// The statement is one of ``lanes(by:)``.
    ///
    /// - Parameter body: returns false to stop.
    func eachLane(
        _ sql: String, of kind: Int64, _ filter: LeaseRequest.DestinationFilter, _ kinds: Set<Int64>,
        _ request: LeaseRequest,
        at uptime: Uptime, limit: Int, _ body: (Query, WallTime) -> Bool
    ) throws {
        try db.query(sql) { row in
            try row.bind(kind, at: 1)
            try row.bind(uptime.boot, at: 2)
            try row.bind(uptime.nanoseconds, at: 3)
            try row.bind(request.now.nanoseconds, at: 4)
            // While batches wait to fill, the first lane in the order may not be due first, so all
            // are read.
            try row.bind(filter.limits.wait > .zero ? -1 : Int64(limit), at: 5)
            while try row.step(), body(row, try dueTime(row, filter, kinds, now: request.now)) {}
        }
    }

    /// - Parameter row: a row of ``lanes(by:)``.
    private func dueTime(
        _ row: Query, _ filter: LeaseRequest.DestinationFilter, _ kinds: Set<Int64>, now: WallTime
    ) throws -> WallTime {
        let ready = WallTime(nanoseconds: row.integer(3))
        // An attempt in the future means that the clock was set back. Its waiting time can't be
        // trusted.
        let time = Self.hasTime(row.optionalInteger(4), now: now) ? ready : min(ready, now)
        let enqueuedAt = WallTime(nanoseconds: row.integer(5))
        // The clock was set back since the entry was enqueued, so its waiting time is unknown. It
        // counts as over.
        guard filter.limits.wait > .zero, enqueuedAt <= now else { return time }
        // These counts are upper bounds. Only if they reach the limit, a query counts the due
        // entries.
        if row.integer(6) >= filter.limits.entries || row.integer(7) >= filter.limits.bytes,
            try isFull(row.integer(0), filter, kinds, now: now)
        {
            return time
        }
        return max(time, enqueuedAt + filter.limits.wait)
    }

    /// Whether a delivery waits for its time.
    ///
    /// A delivery that was never attempted does not, even if the clock was set back. Neither does
    /// one that was last attempted later than now, before the clock was set back.
    ///
    /// - Parameter last: when it was last attempted.
    private static func hasTime(_ last: Int64?, now: WallTime) -> Bool { last.map { $0 <= now.nanoseconds } == true }

    private func isFull(
        _ lane: Int64, _ filter: LeaseRequest.DestinationFilter, _ kinds: Set<Int64>, now: WallTime
    ) throws -> Bool {
        let sql = """
            SELECT d.route, d.last, d.next, e.unmet, length(e.payload) FROM outbox_delivery d \
            CROSS JOIN outbox_entry e ON e.seq = d.seq WHERE d.lane = ? ORDER BY d.seq
            """
        return try db.query(sql) { row in
            try row.bind(lane, at: 1)
            var (entries, bytes) = (0, 0)
            while try row.step() {
                let mayGo = !Self.hasTime(row.optionalInteger(1), now: now) || row.integer(2) <= now.nanoseconds
                // A gap ends the batch, because a lane is delivered in order.
                guard kinds.contains(row.integer(0)), mayGo, row.integer(3) == 0 else { return false }
                entries += 1
                bytes += Int(row.integer(4))
                if entries >= filter.limits.entries || bytes >= filter.limits.bytes { return true }
            }
            return false
        }
    }

    /// Returns the entries of a lane to hand out now, and the expired ones among them.
    func front(
        of lane: DueLane, _ request: LeaseRequest
    ) throws -> (taken: [(seq: Int64, delivery: PendingDelivery)], late: [Int64]) {
        let sql = """
            SELECT d.seq, d.route, d.attempts, d.first, d.next, d.failure, d.class, e.unmet, length(e.payload), d.counted, \
            d.last, e.owed, \(EntryTable.columns) FROM outbox_delivery d CROSS JOIN outbox_entry e ON e.seq = d.seq \
            WHERE d.lane = ? ORDER BY d.seq
            """
        return try db.query(sql) { row in
            try row.bind(lane.id, at: 1)
            var (taken, late, bytes): ([(Int64, PendingDelivery)], [Int64], Int64) = ([], [], 0)
            while try row.step() {
                let next = WallTime(nanoseconds: row.integer(4))
                let mayGo = !Self.hasTime(row.optionalInteger(10), now: request.now) || next <= request.now
                // The first entry that may not go stops the lane: later ones must not overtake it.
                guard lane.kinds.contains(row.integer(1)), mayGo, row.integer(7) == 0 else { break }
                if row.integer(6) >= DeliveryClass.expiring,
                    try EntryTable.entry(row, from: 12).hasExpired(by: request.now)
                {
                    late.append(row.integer(0))
                    // An expired entry does not stop the lane. A lease on the disk drops it in the
                    // same transaction.
                    continue
                }
                bytes += row.integer(8)
                // The first entry goes at any size, or a lane with a large one would never be due.
                guard taken.isEmpty || taken.count < request.entries && bytes <= request.bytes else { break }
                var delivery = PendingDelivery(
                    entry: try EntryTable.entry(row, from: 12), destination: lane.filter.destination, nextAttempt: next)
                delivery.attempts = Int(row.integer(2))
                delivery.firstAttempt = row.optionalInteger(3).map(WallTime.init(nanoseconds:))
                delivery.countedSince = row.optionalInteger(9).map(WallTime.init(nanoseconds:))
                delivery.lastFailure = try FailureColumn.read(row, 5)
                delivery.owed = try OwedColumn.read(row, 11)
                taken.append((row.integer(0), delivery))
            }
            return (taken, late)
        }
    }
}

extension LeaseRequest {
    fileprivate func leavesOut(_ lane: String, _ filter: DestinationFilter) -> Bool {
        !except.isEmpty
            && except.contains(Lease.Lane(account: account, name: lane, destination: filter.destination))
    }
}

extension OutboxEntry {
    fileprivate func hasExpired(by now: WallTime) -> Bool {
        guard case .expiring(let duration, _) = deliveryClass else { return false }
        return enqueuedAt + duration <= now
    }
}
#endif
