#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// The state of a settled delivery whose entry still exists, as in `outbox_settled`.
enum SettledState: Int64 {
    case delivered = 1
    case unneeded, discarded, bounded, expired, replaced

    init(_ reason: DroppedDelivery.Reason) {
        switch reason {
        case .bounded: self = .bounded
        case .expired: self = .expired
        case .replaced: self = .replaced
        }
    }

    var recorded: OutboxRecord.State {
        switch self {
        case .delivered: .delivered
        case .unneeded: .unneeded
        case .discarded: .discarded
        case .bounded: .dropped(.bounded)
        case .expired: .dropped(.expired)
        case .replaced: .dropped(.replaced)
        }
    }

    /// Whether the delivery failed for good.
    var isFailure: Bool { self != .delivered && self != .unneeded }
}

/// The fields of a delivery that move with it between tables.
struct DeliveryRow {
    let route: Int64
    let deliveryClass: Int64
    var attempts: Int64 = 0
    var first: Int64?
    /// When the first counted attempt began. Set only by a restoration, as ``last`` is.
    var counted: Int64?
    var last: Int64?
    /// The last failure; the cause of death of a dead delivery.
    var failure: [UInt8]?
    /// The lease under which it was handed out and not settled since.
    var lease: Int64?
}

/// The state of a delivery.
enum DeliveryState {
    case waiting(DeliveryRow)
    case pending(DeliveryRow, next: WallTime)
    case dead(DeliveryRow)
    case settled(SettledState, lease: Int64?)

    /// The lease of the ``DeliveryRow``.
    var lease: Int64? {
        switch self {
        case .waiting(let row), .pending(let row, _), .dead(let row): row.lease
        case .settled(_, let lease): lease
        }
    }
}

extension JournalWriter {
    /// Returns nil if the entry has no such delivery.
    mutating func deliveryState(_ head: EntryHead, _ destination: String) throws -> DeliveryState? {
        // Pending is the usual state, so it is looked up first.
        if let lane = try lane(head.lane(to: destination)),
            let found = try pending(lane, head.seq)
        {
            return found
        }
        if let row = try dead(head, destination) { return .dead(row) }
        if let row = try waiting(head, destination) { return .waiting(row) }
        return try db.query("SELECT state, lease FROM outbox_settled WHERE seq = ? AND destination = ?") { row in
            try row.bind(head.seq, destination)
            guard try row.step() else { return nil }
            return SettledState(rawValue: row.integer(0)).map { .settled($0, lease: row.optionalInteger(1)) }
        }
    }

    /// Whether the holder of its lane was handed the delivery and has not settled it.
    ///
    /// This stays true if the delivery is discarded meanwhile.
    mutating func isOnItsWay(_ head: EntryHead, _ destination: String) throws -> Bool {
        // A lease that ran out counts as held until another takes the lane. Its holder may still be
        // sending.
        guard let lane = try lane(head.lane(to: destination)), lane.isHeld, let lease = lane.lease else { return false }
        return try deliveryState(head, destination)?.lease == lease
    }

    private func pending(_ lane: LaneRow, _ seq: Int64) throws -> DeliveryState? {
        let sql = """
            SELECT route, class, attempts, first, failure, lease, next FROM outbox_delivery WHERE lane = ? AND seq = ?
            """
        return try db.query(sql) { row in
            try row.bind(lane.id, at: 1)
            try row.bind(seq, at: 2)
            guard try row.step() else { return nil }
            return .pending(try DeliveryRow(row), next: WallTime(nanoseconds: row.integer(6)))
        }
    }

    private func dead(_ head: EntryHead, _ destination: String) throws -> DeliveryRow? {
        let sql =
            "SELECT route, class, attempts, first, failure, lease FROM outbox_dead WHERE seq = ? AND destination = ?"
        return try db.query(sql) { row in
            try row.bind(head.seq, destination)
            return try row.step() ? try DeliveryRow(row) : nil
        }
    }

    private func waiting(_ head: EntryHead, _ destination: String) throws -> DeliveryRow? {
        // A plain entry has no condition and never waits.
        if head.isPlain { return nil }
        return try db.query("SELECT route, class FROM outbox_waiting WHERE seq = ? AND destination = ?") { row in
            try row.bind(head.seq, destination)
            return try row.step() ? DeliveryRow(route: row.integer(0), deliveryClass: row.integer(1)) : nil
        }
    }

    // MARK: Taking it out of where it stands

    /// Removes a pending delivery.
    ///
    /// - Returns: nil if it is not pending.
    mutating func takePending(_ head: EntryHead, _ destination: String) throws -> DeliveryRow? {
        guard let lane = try lane(head.lane(to: destination)) else { return nil }
        let sql = """
            DELETE FROM outbox_delivery WHERE lane = ? AND seq = ? RETURNING route, class, attempts, first, failure, lease
            """
        let found: DeliveryRow? = try db.query(sql) { row in
            try row.bind(lane.id, at: 1)
            try row.bind(head.seq, at: 2)
            return try row.step() ? try DeliveryRow(row) : nil
        }
        guard let found else { return nil }
        // Counts are collected, and written by `flush`.
        change(lane: lane.id, pending: -1, bytes: -head.size)
        change(route: found.route, class: found.deliveryClass, by: -1)
        return found
    }

    /// Removes a dead delivery.
    ///
    /// - Returns: nil if it is not dead.
    func takeDead(_ head: EntryHead, _ destination: String) throws -> DeliveryRow? {
        let sql = """
            DELETE FROM outbox_dead WHERE seq = ? AND destination = ? RETURNING route, class, attempts, first, failure, lease
            """
        return try db.query(sql) { row in
            try row.bind(head.seq, destination)
            return try row.step() ? try DeliveryRow(row) : nil
        }
    }

    /// Removes a waiting delivery.
    ///
    /// - Returns: nil if it is not waiting.
    mutating func takeWaiting(_ head: EntryHead, _ destination: String) throws -> DeliveryRow? {
        guard let found = try waiting(head, destination) else { return nil }
        try db.run("DELETE FROM outbox_waiting WHERE seq = ? AND destination = ?") {
            try $0.bind(head.seq, destination)
        }
        change(route: found.route, class: found.deliveryClass, by: -1)
        return found
    }

    /// Removes a delivery that is pending, dead or waiting.
    mutating func take(_ head: EntryHead, _ destination: String) throws -> DeliveryRow? {
        if let row = try takePending(head, destination) { return row }
        if let row = try takeDead(head, destination) { return row }
        return try takeWaiting(head, destination)
    }

    // MARK: Putting it elsewhere

    mutating func putPending(_ delivery: DeliveryRow, _ head: EntryHead, _ destination: String, next: WallTime) throws {
        let lane = try makeLane(head.lane(to: destination)).id
        let sql = """
            INSERT INTO outbox_delivery (lane, seq, route, class, attempts, first, next, failure, lease, counted, last) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.run(sql) { row in
            try row.bind(lane, at: 1)
            try row.bind(head.seq, at: 2)
            try row.bind(delivery.route, at: 3)
            try row.bind(delivery.deliveryClass, at: 4)
            try row.bind(delivery.attempts, at: 5)
            try row.bind(delivery.first, at: 6)
            try row.bind(next.nanoseconds, at: 7)
            try row.bind(delivery.failure, at: 8)
            try row.bind(delivery.lease, at: 9)
            try row.bind(delivery.counted, at: 10)
            try row.bind(delivery.last, at: 11)
        }
        change(lane: lane, pending: 1, bytes: head.size, added: head.seq)
        change(route: delivery.route, class: delivery.deliveryClass, by: 1)
    }

    mutating func putWaiting(
        _ delivery: DeliveryRow, _ head: EntryHead, _ destination: String, at time: WallTime?
    ) throws {
        let sql = "INSERT INTO outbox_waiting (seq, destination, route, class, since, at) VALUES (?, ?, ?, ?, ?, ?)"
        try db.run(sql) { row in
            try row.bind(head.seq, destination)
            try row.bind(delivery.route, at: 3)
            try row.bind(delivery.deliveryClass, at: 4)
            try row.bind(head.enqueuedAt.nanoseconds, at: 5)
            try row.bind(time?.nanoseconds, at: 6)
        }
        change(route: delivery.route, class: delivery.deliveryClass, by: 1)
    }

    func putDead(
        _ delivery: DeliveryRow, _ head: EntryHead, _ destination: String, _ failure: [UInt8], at time: WallTime,
        theirs: [UInt8]? = nil
    ) throws {
        let sql = """
            INSERT INTO outbox_dead (seq, destination, route, class, attempts, first, died_at, failure, theirs, lease) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.run(sql) { row in
            try row.bind(head.seq, destination)
            try row.bind(delivery.route, at: 3)
            try row.bind(delivery.deliveryClass, at: 4)
            try row.bind(delivery.attempts, at: 5)
            try row.bind(delivery.first, at: 6)
            try row.bind(time.nanoseconds, at: 7)
            try row.bind(failure, at: 8)
            try row.bind(theirs, at: 9)
            try row.bind(delivery.lease, at: 10)
        }
    }

    func putSettled(
        _ state: SettledState, _ head: inout EntryHead, _ destination: String, lease: Int64? = nil
    ) throws {
        head.open -= 1
        // The entry's only delivery: it is removed with its entry.
        if head.isPlain { return }
        try db.run("INSERT INTO outbox_settled (seq, destination, state, lease) VALUES (?, ?, ?, ?)") { row in
            try row.bind(head.seq, destination)
            try row.bind(state.rawValue, at: 3)
            try row.bind(lease, at: 4)
        }
    }
}

extension DeliveryRow {
    init(_ row: Query) throws {
        self.init(
            route: row.integer(0), deliveryClass: row.integer(1), attempts: row.integer(2),
            first: row.optionalInteger(3), failure: try row.optionalBlob(4), lease: row.optionalInteger(5))
    }
}

extension Query {
    /// Binds the first two parameters.
    func bind(_ seq: Int64, _ destination: String) throws {
        try bind(seq, at: 1)
        try bind(destination, at: 2)
    }
}
#endif
