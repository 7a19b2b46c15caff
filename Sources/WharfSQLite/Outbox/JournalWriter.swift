#if SQLite
internal import GRDB
internal import WharfCore

/// Writes what one commit or lease does to a journal, inside its transaction.
///
/// What lanes and routes count is gathered and written once at the end (``flush()``), however many
/// deliveries of them have settled.
struct JournalWriter {
    struct LaneRow {
        let id: Int64
        /// The last one.
        let lease: Int64?
        /// It was not given back.
        let isHeld: Bool
    }

    private struct LaneChange {
        var pending: Int64 = 0
        var bytes: Int64 = 0
        /// The first that has come, where that is all that has happened; nil: the first delivery
        /// may be another now.
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
    private var lanes: [Lease.Lane: LaneRow] = [:]
    private var changedLanes: [Int64: LaneChange] = [:]
    private var routes: [RouteKey: Int64] = [:]
    private var changedRoutes: [Int64: RouteChange] = [:]
    /// Whether anything depends on anything; nil: not looked yet.
    private var knowsDependencies: Bool?

    init(_ db: Database, reached: @escaping (DataPoint) -> Void) {
        self.db = db
        entries = EntryTable(db: db)
        self.reached = reached
    }

    // MARK: Lanes

    /// nil where nothing of the lane is pending and nobody holds it.
    mutating func lane(_ lane: Lease.Lane) throws -> LaneRow? {
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

    /// Whether the lane has not passed to somebody else since.
    mutating func isCurrent(_ lease: Lease) throws -> Bool { try lane(lease.lane)?.lease == lease.number }

    /// The lane, made where it is not there.
    mutating func makeLane(_ lane: Lease.Lane) throws -> LaneRow {
        if let known = try self.lane(lane) { return known }
        try db.run("INSERT INTO outbox_lane (account, name, destination, pending, bytes) VALUES (?, ?, ?, 0, 0)") {
            try $0.bind(lane, at: 1)
        }
        let made = LaneRow(id: db.lastInsertedRowID, lease: nil, isHeld: false)
        lanes[lane] = made
        return made
    }

    /// After a lease was taken or given back.
    mutating func forget(_ lane: Lease.Lane) { lanes[lane] = nil }

    mutating func forgetLanes() { lanes = [:] }

    /// - Parameter added: the delivery that has come; nil where one has gone, or is due at another
    ///   time.
    mutating func change(lane: Int64, pending: Int64 = 0, bytes: Int64 = 0, added: Int64? = nil) {
        var change = changedLanes[lane] ?? LaneChange()
        change.pending += pending
        change.bytes += bytes
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

    /// - Parameter class: of a delivery that has come to wait or be pending (`by` 1), or is not any
    ///   more (-1).
    mutating func change(route: Int64, class number: Int64, by difference: Int64) {
        changedRoutes[route, default: RouteChange()].pending += difference
        if number == DeliveryClass.bounded { changedRoutes[route, default: RouteChange()].bounded += difference }
    }

    mutating func count(_ reason: DroppedDelivery.Reason, on route: Int64, by difference: Int64 = 1) {
        changedRoutes[route, default: RouteChange()].dropped[reason, default: 0] += difference
    }

    // MARK: Dependencies

    /// The entries that depend on one, in their order.
    mutating func dependents(of entry: OutboxEntry.ID) throws -> [Int64] {
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

    /// To be called before lanes are looked for that are due, and at the end. Lanes in which
    /// nothing is left are gone then.
    mutating func flush() throws {
        for (id, change) in changedRoutes { try write(change, to: id) }
        changedRoutes = [:]
        for (id, change) in changedLanes { try write(change, to: id) }
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
            // What comes behind the first changes nothing about it.
            try db.run("UPDATE outbox_lane SET pending = pending + ?, bytes = bytes + ? WHERE id = ? AND head < ?") {
                try $0.bind(change.pending, at: 1)
                try $0.bind(change.bytes, at: 2)
                try $0.bind(id, at: 3)
                try $0.bind(added, at: 4)
            }
            if db.changesCount > 0 { return }
        }
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
        try db.run("DELETE FROM outbox_lane WHERE id = ? AND until IS NULL") { try $0.bind(id, at: 1) }
        if db.changesCount > 0 { return }
        try db.run(
            """
            UPDATE outbox_lane SET pending = 0, bytes = 0, head = NULL, route = NULL, ready = NULL, fresh = NULL, \
            tried = NULL, head_at = NULL WHERE id = ?
            """
        ) { try $0.bind(id, at: 1) }
    }
}

extension Query {
    /// To three parameters.
    func bind(_ lane: Lease.Lane, at index: Int32) throws {
        try bind(RowKey.account(lane.account), at: index)
        try bind(lane.name, at: index + 1)
        try bind(lane.destination, at: index + 2)
    }
}
#endif
