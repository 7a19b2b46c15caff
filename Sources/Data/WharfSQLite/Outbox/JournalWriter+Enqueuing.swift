#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

extension JournalWriter {
    /// Adds an entry at the end of its lanes.
    ///
    /// - Returns: the deliveries that its class dropped.
    mutating func enqueue(_ entry: OutboxEntry) throws -> [DroppedDelivery] {
        var head = try insert(entry)
        var waits = false
        let number = entry.deliveryClass.number
        var names: Set<String> = []
        // A target may be named twice; the first counts.
        for target in entry.targets where names.insert(target.destination).inserted {
            let row = DeliveryRow(route: try route(head, target.destination), deliveryClass: number)
            if target.condition == .always {
                try putPending(row, head, target.destination, next: entry.enqueuedAt)
            } else {
                try putWaiting(row, head, target.destination, at: target.time(of: entry))
                waits = true
            }
        }
        // Entries that depend on this one may be older: they were enqueued before it.
        for dependent in try dependents(of: entry.id) where dependent != head.seq {
            try change(unmetOf: dependent, by: 1)
        }
        reached(.entryWritten)
        // A condition may be decided already, and an entry without targets is settled at once.
        if waits || head.open == 0 { try follow(&head) }
        if !entry.dependencies.isEmpty {
            try oweGiven(head.seq, entry.dependencies)
            // Its dependency was discarded or forgotten. Sending it would use an id that was never
            // assigned.
            if let failure = try obstacle(entry) {
                try setAside(head.seq, for: failure)
                return []
            }
        }
        if entry.deliveryClass == .durable { return [] }
        return try makeRoom(for: entry, head)
    }

    mutating func insert(_ entry: OutboxEntry) throws -> EntryHead {
        let account = RowKey.account(entry.account)
        let form = EntryColumn(entry)
        let open = Int64(form.destinations.count)
        let isPlain = entry.targets.count == 1 && entry.targets[0].condition == .always
        var unmet = 0
        // An entry that depends on itself is never delivered, as in the memory store.
        for id in entry.dependencies where try id == entry.id || entries.head(id) != nil { unmet += 1 }
        let sql = """
            INSERT INTO outbox_entry (id, open, unmet, attempted, plain, depends, account, lane, kind, version, key, \
            enqueued_at, form, base, payload) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
            ON CONFLICT (id) DO NOTHING
            """
        try db.run(sql) { row in
            try row.bind(entry.id.text, at: 1)
            try row.bind(open, at: 2)
            try row.bind(Int64(unmet), at: 3)
            try row.bind(Int64(isPlain ? 1 : 0), at: 4)
            try row.bind(Int64(entry.dependencies.isEmpty ? 0 : 1), at: 5)
            try row.bind(account, at: 6)
            try row.bind(entry.lane, at: 7)
            try row.bind(entry.kind.name, at: 8)
            try row.bind(Int64(entry.kind.version), at: 9)
            try row.bind(entry.key.text == entry.id.text ? nil : entry.key.text, at: 10)
            try row.bind(entry.enqueuedAt.nanoseconds, at: 11)
            try row.bind(form.encoded(), at: 12)
            try row.bind(entry.base, at: 13)
            try row.bind(entry.payload, at: 14)
        }
        // The unique index decides, so two processes can't enqueue one id.
        guard db.changesCount > 0 else { throw StoreError.known(entry.id) }
        let seq = db.lastInsertedRowID
        for id in entry.dependencies { try depend(seq, on: id) }
        return EntryHead(
            seq: seq, id: entry.id, account: account, lane: entry.lane, kind: entry.kind.name,
            enqueuedAt: entry.enqueuedAt, isPlain: isPlain, depends: !entry.dependencies.isEmpty,
            unmet: Int64(unmet), size: Int64(entry.payload.count), open: open, attempted: false)
    }

    // MARK: Classes

    private mutating func makeRoom(for entry: OutboxEntry, _ head: EntryHead) throws -> [DroppedDelivery] {
        var dropped: [DroppedDelivery] = []
        for destination in EntryColumn(entry).destinations {
            switch entry.deliveryClass {
            case .durable, .expiring(_, latestWins: false): break
            // Only older deliveries of the same route that were never attempted and are not in
            // flight.
            case .expiring(_, latestWins: true): dropped += try replace(before: head, destination)
            case .bounded(let limit): dropped += try keep(limit, try route(head, destination))
            }
        }
        return dropped
    }

    private mutating func replace(before new: EntryHead, _ destination: String) throws -> [DroppedDelivery] {
        guard let lane = try lane(new.lane(to: destination)) else { return [] }
        // `first`: an attempted delivery stays, because the receiver may know it.
        let sql = """
            SELECT d.seq FROM outbox_delivery d JOIN outbox_lane l ON l.id = d.lane WHERE d.lane = ? AND d.seq < ? \
            AND d.class = ? AND d.route = ? AND d.first IS NULL AND \(Self.isNotOnItsWay) ORDER BY d.seq
            """
        let route = try route(new, destination)
        let old = try db.query(sql) { row in
            try row.bind(lane.id, at: 1)
            try row.bind(new.seq, at: 2)
            try row.bind(DeliveryClass.latestWins, at: 3)
            try row.bind(route, at: 4)
            return try row.integers()
        }
        return try drop(old, destination, .replaced)
    }

    private static let isNotOnItsWay = "(d.lease IS NULL OR l.until IS NULL OR l.lease IS NOT d.lease)"

    private mutating func keep(_ limit: Int, _ route: Int64) throws -> [DroppedDelivery] {
        // The counts of this transaction are still in memory; without the flush the query reads old
        // ones.
        try flush(route: route)
        let (destination, all) = try db.query("SELECT destination, bounded FROM outbox_route WHERE id = ?") { row in
            try row.bind(route, at: 1)
            return try row.step() ? (row.text(0), row.integer(1)) : ("", 0)
        }
        guard all > limit else { return [] }
        let onTheirWay = try db.query(
            """
            SELECT count(*) FROM outbox_lane l INDEXED BY outbox_held CROSS JOIN outbox_delivery d \
            ON d.lane = l.id AND d.seq <= l.upto \
            WHERE l.until IS NOT NULL AND d.lease = l.lease AND d.route = ? AND d.class = ?
            """
        ) { row in
            try row.bind(route, at: 1)
            try row.bind(DeliveryClass.bounded, at: 2)
            return try row.step() ? row.integer(0) : 0
        }
        // Deliveries in flight can't be dropped and do not count: their settlement follows.
        let excess = all - onTheirWay - Int64(limit)
        guard excess > 0 else { return [] }
        let oldest = try oldest(excess, of: route)
        return try drop(oldest, destination, .bounded)
    }

    /// Returns the oldest bounded entries that are not in flight.
    private func oldest(_ count: Int64, of route: Int64) throws -> [Int64] {
        let pending = """
            SELECT d.seq FROM outbox_delivery d INDEXED BY outbox_bounded CROSS JOIN outbox_lane l ON l.id = d.lane \
            WHERE d.route = ? AND d.class = 1 AND \(Self.isNotOnItsWay) ORDER BY d.seq LIMIT ?
            """
        let waiting = "SELECT seq FROM outbox_waiting WHERE route = ? AND class = 1 ORDER BY seq LIMIT ?"
        var found: [Int64] = []
        for sql in [pending, waiting] {
            found += try db.query(sql) { row in
                // Each table may have all of the oldest, so both get the whole limit.
                try row.bind(route, at: 1)
                try row.bind(count, at: 2)
                return try row.integers()
            }
        }
        return Array(found.sorted().prefix(Int(count)))
    }

    private mutating func drop(
        _ seqs: [Int64], _ destination: String, _ reason: DroppedDelivery.Reason
    ) throws -> [DroppedDelivery] {
        try seqs.compactMap { seq in
            // An entry with several destinations may be gone after the first drop.
            guard var head = try entries.head(seq) else { return nil }
            return try drop(&head, destination, reason)
        }
    }
}

extension Query {
    /// Reads the first column of all rows.
    func integers() throws -> [Int64] {
        var found: [Int64] = []
        while try step() { found.append(integer(0)) }
        return found
    }
}
#endif
