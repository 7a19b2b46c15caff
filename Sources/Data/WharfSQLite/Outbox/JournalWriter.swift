#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// The changes of one commit or lease to a journal, inside its transaction.
///
/// Changes of the counts of lanes and routes are collected and written once, by ``flush()``. Many
/// settlements of a lane thus cost one update.
struct JournalWriter {
    struct LaneRow {
        let id: Int64
        /// The number of the lane's last lease.
        let lease: Int64?
        /// Whether the lease was not released.
        let isHeld: Bool
    }

    private struct LaneChange {
        var pending: Int64 = 0
        var bytes: Int64 = 0
        /// The first added delivery; nil if the lane's head may have changed.
        ///
        /// It is only valid if nothing but additions happened.
        var added: Int64? = .max
    }

    struct RouteKey: Hashable {
        let account: String
        let destination: String
        let kind: String
    }

    struct RouteChange {
        var pending: Int64 = 0
        var bounded: Int64 = 0
        var dropped: [DroppedDelivery.Reason: Int64] = [:]
    }

    let db: Database
    let entries: EntryTable
    let reached: (DataPoint) -> Void
    // Invariants: a cached lane equals its row. Changes in `changedLanes` and `changedRoutes` are
    // not in the tables until `flush`, so each query of counts or heads comes after it.
    private var lanes: [Lease.Lane: LaneRow] = [:]
    private var changedLanes: [Int64: LaneChange] = [:]
    private var routes: [RouteKey: Int64] = [:]
    private var changedRoutes: [Int64: RouteChange] = [:]
    /// Whether any entry depends on another; nil if not looked up yet.
    private var knowsDependencies: Bool?

    init(_ db: Database, reached: @escaping (DataPoint) -> Void) {
        self.db = db
        entries = EntryTable(db: db)
        self.reached = reached
    }

    // MARK: Lanes

    /// Returns nil if the lane has no pending entry and is not held.
    mutating func lane(_ lane: Lease.Lane) throws -> LaneRow? {
        // Nil is not cached: a lane that is missing may be created later.
        if let known = lanes[lane] { return known }
        let found: LaneRow? = try db.query(
            "SELECT id, lease, until IS NOT NULL FROM outbox_lane WHERE account = ? AND name = ? AND destination = ?"
        ) { row in
            try row.bind(lane, at: 1)
            guard try row.step() else { return nil }
            return LaneRow(id: row.integer(0), lease: row.optionalInteger(1), isHeld: row.integer(2) > 0)
        }
        lanes[lane] = found
        return found
    }

    /// Whether the lease is the lane's last one, so its fencing token is valid.
    mutating func isCurrent(_ lease: Lease) throws -> Bool { try lane(lease.lane)?.lease == lease.number }

    /// Returns the lane, and creates it if necessary.
    mutating func makeLane(_ lane: Lease.Lane) throws -> LaneRow {
        if let known = try self.lane(lane) { return known }
        try db.run("INSERT INTO outbox_lane (account, name, destination, pending, bytes) VALUES (?, ?, ?, 0, 0)") {
            try $0.bind(lane, at: 1)
        }
        let made = LaneRow(id: db.lastInsertedRowID, lease: nil, isHeld: false)
        lanes[lane] = made
        return made
    }

    /// Drops a cached lane after its lease was taken or released.
    mutating func forget(_ lane: Lease.Lane) { lanes[lane] = nil }

    mutating func forgetLanes() { lanes = [:] }

    /// Records a change of a lane.
    ///
    /// - Parameter added: the added delivery; nil if one was removed, or is due at another time.
    mutating func change(lane: Int64, pending: Int64 = 0, bytes: Int64 = 0, added: Int64? = nil) {
        var change = changedLanes[lane] ?? LaneChange()
        change.pending += pending
        change.bytes += bytes
        // One removal is enough to make `added` nil for good, because the head may be gone.
        change.added = added.flatMap { seq in change.added.map { min($0, seq) } }
        changedLanes[lane] = change
    }

    // MARK: Routes

    mutating func route(_ head: EntryHead, _ destination: String) throws -> Int64 {
        try route(RouteKey(account: head.account, destination: destination, kind: head.kind))
    }

    mutating func route(_ key: RouteKey) throws -> Int64 {
        if let known = routes[key] { return known }
        let bind = { (row: Query) in
            try row.bind(key.account, at: 1)
            try row.bind(key.destination, at: 2)
            try row.bind(key.kind, at: 3)
        }
        let found: Int64? = try db.query(
            "SELECT id FROM outbox_route WHERE account = ? AND destination = ? AND kind = ?"
        ) { row in
            try bind(row)
            return try row.step() ? row.integer(0) : nil
        }
        if found == nil {
            try db.run("INSERT INTO outbox_route VALUES (NULL, ?, ?, ?, 0, 0, 0, 0, 0)", bind)
        }
        let id = found ?? db.lastInsertedRowID
        routes[key] = id
        return id
    }

    /// - Parameter class: the class of a delivery that became open (`by` 1), or is no longer open
    ///   (-1).
    mutating func change(route: Int64, class number: Int64, by difference: Int64) {
        changedRoutes[route, default: RouteChange()].pending += difference
        if number == DeliveryClass.bounded { changedRoutes[route, default: RouteChange()].bounded += difference }
    }

    mutating func count(_ reason: DroppedDelivery.Reason, on route: Int64, by difference: Int64 = 1) {
        changedRoutes[route, default: RouteChange()].dropped[reason, default: 0] += difference
    }

    // MARK: Dependencies

    /// Returns the dependents of an entry, in their order.
    mutating func dependents(of entry: OutboxEntry.ID) throws -> [Int64] {
        // Most journals have no dependency. One look saves a query for each entry.
        if knowsDependencies == nil {
            knowsDependencies = try db.integer("SELECT 1 FROM outbox_dependency LIMIT 1") != nil
        }
        guard knowsDependencies == true else { return [] }
        return try db.query("SELECT seq FROM outbox_dependency WHERE id = ? ORDER BY seq") { row in
            try row.bind(entry.text, at: 1)
            var found: [Int64] = []
            while try row.step() { found.append(row.integer(0)) }
            return found
        }
    }

    mutating func depend(_ seq: Int64, on entry: OutboxEntry.ID) throws {
        knowsDependencies = true
        try db.run("INSERT INTO outbox_dependency (id, seq) VALUES (?, ?)") { row in
            try row.bind(entry.text, at: 1)
            try row.bind(seq, at: 2)
        }
    }

    // MARK: The end

    /// Writes the collected changes, and deletes empty lanes.
    ///
    /// Call it before looking for due lanes, and at the end.
    mutating func flush() throws {
        for (id, change) in changedRoutes { try write(change, to: id) }
        changedRoutes = [:]
        for (id, change) in changedLanes { try write(change, to: id) }
        // `write` may delete a lane, and a cached row would give its old id.
        if !changedLanes.isEmpty { forgetLanes() }
        changedLanes = [:]
    }

    mutating func flush(route: Int64) throws {
        if let change = changedRoutes.removeValue(forKey: route) { try write(change, to: route) }
    }

    private func write(_ change: RouteChange, to id: Int64) throws {
        let sql = """
            UPDATE outbox_route SET pending = pending + ?, bounded = bounded + ?, \
            dropped_bounded = dropped_bounded + ?, dropped_expired = dropped_expired + ?, \
            dropped_replaced = dropped_replaced + ? WHERE id = ?
            """
        try db.run(sql) { row in
            try row.bind(change.pending, at: 1)
            try row.bind(change.bounded, at: 2)
            try row.bind(change.dropped[.bounded] ?? 0, at: 3)
            try row.bind(change.dropped[.expired] ?? 0, at: 4)
            try row.bind(change.dropped[.replaced] ?? 0, at: 5)
            try row.bind(id, at: 6)
        }
    }

    private func write(_ change: LaneChange, to id: Int64) throws {
        if let added = change.added {
            // An entry behind the head changes nothing about the head.
            try db.run("UPDATE outbox_lane SET pending = pending + ?, bytes = bytes + ? WHERE id = ? AND head < ?") {
                try $0.bind(change.pending, at: 1)
                try $0.bind(change.bytes, at: 2)
                try $0.bind(id, at: 3)
                try $0.bind(added, at: 4)
            }
            if db.changesCount > 0 { return }
        }
        // The lane has a head, which is written with the counts in one update.
        if let head = try LaneHead(of: id, db) {
            let sql = """
                UPDATE outbox_lane SET pending = pending + ?2, bytes = bytes + ?3, head = ?4, route = ?5, ready = ?6, \
                fresh = ?7, tried = ?8, head_at = ?9 WHERE id = ?1
                """
            return try db.run(sql) { row in
                try row.bind(id, at: 1)
                try row.bind(change.pending, at: 2)
                try row.bind(change.bytes, at: 3)
                try row.bind(head.seq, at: 4)
                try row.bind(head.route, at: 5)
                try row.bind(head.ready, at: 6)
                try row.bind(Int64(head.tried == nil ? 1 : 0), at: 7)
                try row.bind(head.tried, at: 8)
                try row.bind(head.enqueuedAt, at: 9)
            }
        }
        // An empty lane goes only if it is released: the row of a held one has the fencing token.
        try db.run("DELETE FROM outbox_lane WHERE id = ? AND until IS NULL") { try $0.bind(id, at: 1) }
        if db.changesCount > 0 { return }
        // Held and empty: it stays, without a head, and no search finds it due.
        try db.run(
            """
            UPDATE outbox_lane SET pending = 0, bytes = 0, head = NULL, route = NULL, ready = NULL, fresh = NULL, \
            tried = NULL, head_at = NULL WHERE id = ?
            """
        ) { try $0.bind(id, at: 1) }
    }
}

extension Query {
    /// Binds three parameters.
    func bind(_ lane: Lease.Lane, at index: Int32) throws {
        try bind(RowKey.account(lane.account), at: index)
        try bind(lane.name, at: index + 1)
        try bind(lane.destination, at: index + 2)
    }
}
#endif
