#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// The queries of a journal, inside a transaction.
struct JournalReader {
    let db: Database

    /// Returns the pauses of an account, by the names of their destinations.
    func pauses(of account: Account?) throws -> [String: OutboxPause] {
        try db.query("SELECT destination, since, reason FROM outbox_pause WHERE account = ?") { row in
            try row.bind(RowKey.account(account), at: 1)
            var pauses: [String: OutboxPause] = [:]
            while try row.step() {
                pauses[row.text(0)] = OutboxPause(
                    since: WallTime(nanoseconds: row.integer(1)), reason: row.optionalText(2))
            }
            return pauses
        }
    }

    /// Returns a request without its routes to paused destinations.
    func unpaused(_ request: LeaseRequest) throws -> LeaseRequest {
        let paused = try pauses(of: request.account)
        guard !paused.isEmpty else { return request }
        var request = request
        request.destinations.removeAll { paused[$0.destination] != nil }
        return request
    }

    // MARK: Records

    func record(of id: OutboxEntry.ID) throws -> OutboxRecord? { try entries.head(id).map(record) }

    func records(of account: Account?, kind: String?, after: Int64?, limit: Int) throws -> [OutboxRecord] {
        try EntryPositions(db: db, account: RowKey.account(account)).page(kind, after: after ?? 0, limit: max(0, limit))
            .compactMap { try entries.head($0).map(record) }
    }

    private var entries: EntryTable { EntryTable(db: db) }

    private func record(_ head: EntryHead) throws -> OutboxRecord {
        let entry = try entries.entry(head.seq)
        // The writer only reads here; nothing is flushed.
        var writer = JournalWriter(db) { _ in }
        var states: [String: OutboxRecord.State] = [:]
        for destination in EntryColumn(entry).destinations {
            states[destination] = try writer.deliveryState(head, destination)?.recorded(isBlocked: head.unmet > 0)
        }
        return OutboxRecord(entry: entry, position: head.seq, states: states)
    }

    // MARK: Dead letters

    func deadLetters(of account: Account?, after: DeliveryID?, limit: Int) throws -> [DeadLetter] {
        let tables = "outbox_dead d CROSS JOIN outbox_entry e ON e.seq = d.seq"
        let places = EntryPositions(db: db, account: RowKey.account(account))
        let last = try after.map { try places.place(of: $0.entry) } ?? 0
        // `>=`: the entry of the last letter may have more letters to other destinations.
        let sql = """
            SELECT d.seq, d.destination, d.attempts, d.died_at, d.failure, d.theirs, \(EntryTable.columns) \
            FROM \(tables) WHERE e.account = ? AND d.seq >= ? ORDER BY d.seq
            """
        return try db.query(sql) { row in
            try row.bind(RowKey.account(account), at: 1)
            try row.bind(last, at: 2)
            var letters: [DeadLetter] = []
            var ofOne: [DeadLetter] = []
            while try row.step() {
                let letter = try Self.deadLetter(row)
                // Letters of one entry are sorted by its targets, so they are collected before they
                // are delivered.
                if let one = ofOne.first?.entry.id, one != letter.entry.id {
                    letters += Self.sorted(ofOne, after: after)
                    ofOne = []
                    if letters.count >= limit { break }
                }
                // If the last letter's entry is gone, `last` is its predecessor's position. That
                // entry was on the page before.
                if row.integer(0) == last, letter.entry.id != after?.entry { continue }
                ofOne.append(letter)
            }
            return Array((letters + Self.sorted(ofOne, after: after)).prefix(max(0, limit)))
        }
    }

    private static func deadLetter(_ row: Query) throws -> DeadLetter {
        DeadLetter(
            entry: try EntryTable.entry(row, from: 6), destination: row.text(1), attempts: Int(row.integer(2)),
            failure: try FailureColumn.read(row, 4) ?? .damaged, diedAt: WallTime(nanoseconds: row.integer(3)),
            theirs: try row.optionalBlob(5))
    }

    /// Sorts the letters of one entry in the order of its targets.
    private static func sorted(_ letters: [DeadLetter], after: DeliveryID?) -> [DeadLetter] {
        guard let entry = letters.first?.entry else { return [] }
        let sorted = EntryColumn(entry).destinations.compactMap { name in letters.first { $0.destination == name } }
        guard let after, after.entry == entry.id else { return sorted }
        return Array(sorted.drop { $0.destination != after.destination }.dropFirst())
    }

    // MARK: Counts and ids

    func counts(of account: Account?) throws -> OutboxCounts {
        var counts = OutboxCounts()
        let routes = """
            SELECT destination, kind, pending, dropped_bounded, dropped_expired, dropped_replaced FROM outbox_route \
            WHERE account = ?
            """
        try db.query(routes) { row in
            try row.bind(RowKey.account(account), at: 1)
            while try row.step() {
                let route = OutboxCounts.Route(row.text(0), kind: row.text(1))
                if row.integer(2) > 0 { counts.pending[route] = Int(row.integer(2)) }
                for (column, reason) in [DroppedDelivery.Reason.bounded, .expired, .replaced].enumerated() {
                    let count = Int(row.integer(Int32(3 + column)))
                    if count > 0 { counts.dropped[route, default: [:]][reason] = count }
                }
            }
        }
        let dead = """
            SELECT r.destination, r.kind, count(*) FROM outbox_dead d CROSS JOIN outbox_route r ON r.id = d.route \
            WHERE r.account = ? GROUP BY r.id
            """
        try db.query(dead) { row in
            try row.bind(RowKey.account(account), at: 1)
            while try row.step() {
                counts.dead[OutboxCounts.Route(row.text(0), kind: row.text(1))] = Int(row.integer(2))
            }
        }
        counts.paused = try pauses(of: account)
        return counts
    }

    func oldestPending(of account: Account?) throws -> [String: WallTime] {
        let sql = """
            SELECT destination, min(head_at) FROM outbox_lane WHERE account = ? AND head_at IS NOT NULL \
            GROUP BY destination
            """
        return try db.query(sql) { row in
            try row.bind(RowKey.account(account), at: 1)
            var oldest: [String: WallTime] = [:]
            while try row.step() { oldest[row.text(0)] = WallTime(nanoseconds: row.integer(1)) }
            return oldest
        }
    }

    func assignedIDs(for temporary: Set<String>, of account: Account?) throws -> [String: String] {
        var found: [String: String] = [:]
        for id in temporary {
            try db.query("SELECT given FROM outbox_assigned WHERE account = ? AND temporary = ?") { row in
                try row.bind(RowKey.account(account), at: 1)
                try row.bind(id, at: 2)
                if try row.step() { found[id] = row.text(0) }
            }
        }
        return found
    }

    func dependents(of id: OutboxEntry.ID) throws -> [OutboxEntry] {
        var writer = JournalWriter(db) { _ in }
        return try writer.untouchedDependents(of: id).map { try entries.entry($0.seq) }
    }
}

extension DeliveryState {
    fileprivate func recorded(isBlocked: Bool) throws -> OutboxRecord.State {
        switch self {
        case .waiting: .waiting
        // A pending delivery behind an unmet dependency is shown as waiting.
        case .pending where isBlocked: .waiting
        case .pending(let row, let next):
            .pending(attempts: Int(row.attempts), nextAttempt: next, row.failure.flatMap(FailureColumn.failure))
        case .dead(let row):
            .dead(attempts: Int(row.attempts), row.failure.flatMap(FailureColumn.failure) ?? .damaged)
        case .settled(let state, _): state.recorded
        }
    }
}

extension DeliveryFailure {
    /// The placeholder for a failure whose bytes are damaged.
    fileprivate static var damaged: Self {
        Self(.unreadable, message: "the reason of this failure is unknown, because its record is damaged")
    }
}
#endif
