#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

extension SalvageReader {
    private typealias States = [Int64: [String: JournalWriter.SalvagedState]]

    /// Writes the readable entries, with the known states of their deliveries.
    ///
    /// Deliveries without a known state are attempted again. The receiver recognises the entry's
    /// key if it has seen it.
    func copyJournal(
        to target: Database, _ salvaged: inout SQLiteDataFile.SalvageResult, _ isWhole: inout Bool
    ) throws {
        // The table has the numbers, and the index of ids the ids. Either may be unreadable.
        var ids: [Int64: OutboxEntry.ID?] = [:]
        walk("SELECT seq FROM outbox_entry", by: ["NOT INDEXED ORDER BY seq"], &isWhole) {
            // `.some(nil)`: a known number without a known id. `nil` alone would remove it.
            ids[$0.integer(0)] = .some(nil)
        }
        walk("SELECT seq, id FROM outbox_entry", by: ["ORDER BY id"], &isWhole) {
            ids[$0.integer(0)] = OutboxEntry.ID($0.text(1))
        }
        var states = pending(&isWhole)
        readOthers(into: &states, &isWhole)
        var writer = JournalWriter(target) { _ in }
        var (restored, lost): ([OutboxEntry.ID: Set<OutboxEntry.ID>], Set<OutboxEntry.ID>) = ([:], [])
        // In the order of the journal: each lane gets its entries in order.
        for (seq, id) in ids.sorted(by: { $0.key < $1.key }) {
            guard let (entry, wasAttempted, owed) = entry(seq) else {
                salvaged.rowsLost += 1
                // Its id is known, so its dependents can be found.
                if let id { lost.insert(id) }
                continue
            }
            try writer.restore(entry, wasAttempted: wasAttempted, owed: owed, states[seq] ?? [:])
            salvaged.rowsRead += 1
            if !entry.dependencies.isEmpty { restored[entry.id] = entry.dependencies }
        }
        // Without this they would be sent as if the lost dependency had been delivered.
        for (id, dependencies) in restored {
            guard let gone = dependencies.intersection(lost).min() else { continue }
            try writer.setAside(id, for: .lost(gone))
        }
        // Before the rest, whose counts are added to the rows of the routes.
        try writer.flush()
        try copyRest(to: target, &writer, &salvaged, &isWhole)
        try writer.flush()
    }

    private func entry(_ seq: Int64) -> (OutboxEntry, wasAttempted: Bool, owed: [String: String])? {
        var found: (OutboxEntry, Bool, [String: String])?
        var isWhole = true
        let sql = "SELECT e.attempted, e.owed, \(EntryTable.columns) FROM outbox_entry e WHERE e.seq = \(seq)"
        walk(sql, by: ["ORDER BY e.seq"], &isWhole) { row in
            found = (try EntryTable.entry(row, from: 2), row.integer(0) > 0, try OwedColumn.read(row, 1))
        }
        return isWhole ? found : nil
    }

    /// A destination is stored in the lane and in the route, so one of both may be lost.
    private func pending(_ isWhole: inout Bool) -> States {
        var lanes: [Int64: String] = [:]
        let byLane = ["NOT INDEXED ORDER BY id", "ORDER BY account, name, destination"]
        walk("SELECT id, destination FROM outbox_lane", by: byLane, &isWhole) { lanes[$0.integer(0)] = $0.text(1) }
        var routes: [Int64: String] = [:]
        let byRoute = ["NOT INDEXED ORDER BY id", "ORDER BY account, destination, kind"]
        walk("SELECT id, destination FROM outbox_route", by: byRoute, &isWhole) { routes[$0.integer(0)] = $0.text(1) }
        var states: States = [:]
        let sql = """
            SELECT route, class, attempts, first, failure, lease, lane, seq, next, counted, last FROM outbox_delivery
            """
        walk(sql, by: ["ORDER BY lane, seq"], &isWhole) { row in
            guard let destination = lanes[row.integer(6)] ?? routes[row.integer(0)] else { return }
            var delivery = try DeliveryRow(row)
            (delivery.counted, delivery.last) = (row.optionalInteger(9), row.optionalInteger(10))
            states[row.integer(7), default: [:]][destination] = .pending(
                delivery, next: WallTime(nanoseconds: row.integer(8)))
        }
        return states
    }

    private func readOthers(into states: inout States, _ isWhole: inout Bool) {
        // A delivery is in one table. If damage shows it in two, the later of these wins.
        let order = ["ORDER BY seq, destination"]
        walk("SELECT seq, destination, at FROM outbox_waiting", by: order, &isWhole) { row in
            let time = row.optionalInteger(2).map(WallTime.init(nanoseconds:))
            states[row.integer(0), default: [:]][row.text(1)] = .waiting(at: time)
        }
        walk("SELECT seq, destination, state FROM outbox_settled", by: order, &isWhole) { row in
            // An unknown state is damage. The delivery is attempted again.
            guard let state = SettledState(rawValue: row.integer(2)) else { return }
            states[row.integer(0), default: [:]][row.text(1)] = .settled(state)
        }
        let dead = """
            SELECT route, class, attempts, first, failure, lease, seq, destination, died_at, theirs FROM outbox_dead
            """
        walk(dead, by: order, &isWhole) { row in
            states[row.integer(6), default: [:]][row.text(7)] = .dead(
                try DeliveryRow(row), at: WallTime(nanoseconds: row.integer(8)), theirs: try row.optionalBlob(9))
        }
    }

    /// Copies counts, pauses, assigned ids, and the number of the last lease.
    private func copyRest(
        to target: Database, _ writer: inout JournalWriter, _ salvaged: inout SQLiteDataFile.SalvageResult,
        _ isWhole: inout Bool
    ) throws {
        var dropped: [JournalWriter.RouteKey: [DroppedDelivery.Reason: Int64]] = [:]
        let routes = """
            SELECT account, destination, kind, dropped_bounded, dropped_expired, dropped_replaced FROM outbox_route
            """
        walk(routes, by: ["ORDER BY id"], &isWhole) { row in
            let key = JournalWriter.RouteKey(account: row.text(0), destination: row.text(1), kind: row.text(2))
            dropped[key] = [.bounded: row.integer(3), .expired: row.integer(4), .replaced: row.integer(5)]
        }
        for (key, counts) in dropped {
            let id = try writer.route(key)
            for (reason, count) in counts { writer.count(reason, on: id, by: count) }
        }
        var isMemoryWhole = true
        try copyMemory(to: target, &isMemoryWhole)
        // With a gap in the memory, each earlier dependency counts as forgotten. A dependent is a
        // dead letter then, instead of being sent with a temporary id.
        if !isMemoryWhole {
            (salvaged.mayHaveForgotten, isWhole) = (true, false)
            try forgetAll(in: target)
        }
        try copyPauses(to: target, &isWhole)
        var lease: Int64 = 0
        for table in ["outbox_state", "outbox_lane"] {
            let column = table == "outbox_state" ? "leases" : "lease"
            walk("SELECT \(column) FROM \(table)", by: ["ORDER BY id"], &isWhole) { lease = max(lease, $0.integer(0)) }
        }
        var removed: [Int64: Int64] = [:]
        walk("SELECT account, lease FROM outbox_removed", by: ["ORDER BY account"], &isWhole) {
            removed[$0.integer(0)] = $0.integer(1)
        }
        // New leases get numbers greater than any recorded removal's.
        lease = max(lease, removed.values.max() ?? 0)
        // A lease number that is used again would let a late settlement pass as current.
        _ = try JournalCounters(db: target).lease(Int(lease))
        for (account, lease) in removed {
            try target.run("INSERT INTO outbox_removed (account, lease) VALUES (?, ?)") { row in
                try row.bind(account, at: 1)
                try row.bind(lease, at: 2)
            }
        }
    }

    /// Copies the pauses. Those before version 7 came from a 401, and are left out as the migration
    /// does.
    private func copyPauses(to target: Database, _ isWhole: inout Bool) throws {
        let sql = "SELECT count(*) FROM pragma_table_info('outbox_pause') WHERE name = 'destination'"
        // Older tables have no destination.
        guard try db.integer(sql) == 1 else { return }
        var pauses: [PausedDestination: OutboxPause] = [:]
        walk(
            "SELECT account, destination, since, reason FROM outbox_pause", by: ["ORDER BY account, destination"],
            &isWhole
        ) { row in
            let place = PausedDestination(row.text(1), of: RowKey.account(row.text(0)))
            pauses[place] = OutboxPause(since: WallTime(nanoseconds: row.integer(2)), reason: row.optionalText(3))
        }
        let writer = JournalWriter(target) { _ in }
        for (place, pause) in pauses { try writer.pause(place, pause) }
    }
}
#endif
