#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

extension JournalReader {
    func nextDue(_ request: LeaseRequest, at uptime: Uptime) throws -> NextDue {
        var next = NextDue()
        let request = try unpaused(request)
        func consider(_ time: WallTime?) {
            // A lane that is due now is not the subject of this query.
            guard let time, time > request.now else { return }
            next.time = min(next.time ?? time, time)
        }
        for filter in request.destinations {
            // The end of a lease is a duration, because it is measured by uptime and not by the
            // wall clock.
            if let end = try endOfLease(filter, request.account, at: uptime) {
                next.leaseEndsAfter = min(next.leaseEndsAfter ?? end, end)
            }
            let kinds = try routeIDs(filter, of: request.account)
            for kind in kinds { consider(try nextDue(kind, filter, Set(kinds), request, at: uptime)) }
            consider(try nextCondition(Set(kinds), request))
        }
        return next
    }

    /// Returns the time until the next lease runs out.
    private func endOfLease(
        _ filter: LeaseRequest.DestinationFilter, _ account: Account?, at uptime: Uptime
    ) throws -> Duration? {
        let sql = """
            SELECT min(until) FROM outbox_lane INDEXED BY outbox_held \
            WHERE until IS NOT NULL AND boot = ? AND until > ? AND account = ? AND destination = ?
            """
        let until: Int64? = try db.query(sql) { row in
            // Leases of another boot have ended already.
            try row.bind(uptime.boot, at: 1)
            try row.bind(uptime.nanoseconds, at: 2)
            try row.bind(RowKey.account(account), at: 3)
            try row.bind(filter.destination, at: 4)
            return try row.step() ? row.optionalInteger(0) : nil
        }
        return until.map { .nanoseconds($0 - uptime.nanoseconds) }
    }

    private func nextDue(
        _ kind: Int64, _ filter: LeaseRequest.DestinationFilter, _ kinds: Set<Int64>, _ request: LeaseRequest,
        at uptime: Uptime
    ) throws -> WallTime? {
        let waits = filter.limits.wait > .zero
        // `?4` stands in both texts, because a parameter that is missing can't be bound.
        let which = waits ? "ready IS NOT NULL AND ?4 IS NOT NULL" : "fresh = 0 AND ready > ?4 AND tried <= ?4"
        let sql = "\(Self.lanes()) AND \(which) AND \(Self.isFree) ORDER BY fresh, ready LIMIT ?5"
        var next: WallTime?
        try eachLane(sql, of: kind, filter, kinds, request, at: uptime, limit: 1) { _, time in
            if time > request.now { next = min(next ?? time, time) }
            return true
        }
        return next
    }

    private func nextCondition(_ kinds: Set<Int64>, _ request: LeaseRequest) throws -> WallTime? {
        let sql = """
            SELECT at, route FROM outbox_waiting INDEXED BY outbox_timed WHERE at > ? AND since <= ? ORDER BY at
            """
        // An entry from further in the future was enqueued before the clock was set back. It is met
        // at once, not at a time.
        let newest = request.now + OutboxEntry.Target.DeliveryCondition.clockTolerance
        return try db.query(sql) { row in
            try row.bind(request.now.nanoseconds, at: 1)
            try row.bind(newest.nanoseconds, at: 2)
            while try row.step() {
                if kinds.contains(row.integer(1)) { return WallTime(nanoseconds: row.integer(0)) }
            }
            return nil
        }
    }
}
#endif
