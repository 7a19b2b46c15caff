#if SQLite
internal import GRDB
internal import WharfCore

extension JournalWriter {
    /// Updates an entry's waiting deliveries, and removes the entry if it is settled.
    mutating func follow(_ head: inout EntryHead) throws {
        // A plain entry has no conditions, and is removed with its only delivery.
        if !head.isPlain {
            try followConditions(&head)
            if head.open > 0 { try keep(head) }
        }
        if head.open == 0 { try remove(head) }
    }

    private func keep(_ head: EntryHead) throws {
        try db.run("UPDATE outbox_entry SET open = ?, attempted = ? WHERE seq = ?") { row in
            try row.bind(head.open, at: 1)
            try row.bind(Int64(head.attempted ? 1 : 0), at: 2)
            try row.bind(head.seq, at: 3)
        }
    }

    private mutating func followConditions(_ head: inout EntryHead) throws {
        var waiting = try waitingDestinations(head.seq)
        if waiting.isEmpty { return }
        let targets = try entries.form(head.seq).targetByDestination
        var isDone = false
        // One decision may decide another condition, so the search repeats until a pass changes
        // nothing.
        while !isDone {
            isDone = true
            for destination in waiting {
                guard let condition = targets[destination]?.condition,
                    let readiness = try readiness(head, condition), let row = try takeWaiting(head, destination)
                else { continue }
                switch readiness {
                // The delivery is due since its entry was enqueued: its condition is met, and no
                // time is added.
                case .begins: try putPending(row, head, destination, next: head.enqueuedAt)
                case .isNeverNeeded: try putSettled(.unneeded, &head, destination)
                }
                waiting.remove(destination)
                isDone = false
            }
        }
    }

    private func waitingDestinations(_ seq: Int64) throws -> Set<String> {
        try db.query("SELECT destination FROM outbox_waiting WHERE seq = ?") { row in
            try row.bind(seq, at: 1)
            var found: Set<String> = []
            while try row.step() { found.insert(row.text(0)) }
            return found
        }
    }

    private enum Readiness { case begins, isNeverNeeded }

    /// Returns nil if the condition is undecided, or depends on the time.
    private mutating func readiness(
        _ head: EntryHead, _ condition: OutboxEntry.Target.DeliveryCondition
    ) throws -> Readiness? {
        switch condition {
        case .always: return .begins
        case .afterFailure(let other):
            switch try deliveryState(head, other) {
            // Nil: the entry has no delivery to the other destination. It would wait for ever.
            case nil, .dead: return .begins
            case .settled(let state, _): return state.isFailure ? .begins : .isNeverNeeded
            case .waiting, .pending: return nil
            }
        case .unlessDelivered(let other, _):
            // Only a delivery ends the wait early. After a failure the time decides.
            guard case .settled(let state, _) = try deliveryState(head, other),
                state == .delivered || state == .unneeded
            else {
                return nil
            }
            return .isNeverNeeded
        }
    }

    /// Moves deliveries whose timed condition is met into their lanes.
    mutating func meetConditions(of account: Account?, by now: WallTime) throws {
        let newest = now + OutboxEntry.Target.DeliveryCondition.clockTolerance
        // The second query serves entries from the future: the clock was set back, and their time
        // would come too late.
        let met =
            try timed("INDEXED BY outbox_timed", "w.at <= ?", now, of: account)
            + timed("INDEXED BY outbox_since", "w.at IS NOT NULL AND w.since > ?", newest, of: account)
        for (seq, destination, time) in met {
            // One delivery may be in both lists, and is taken once.
            guard let head = try entries.head(seq), let row = try takeWaiting(head, destination) else { continue }
            try putPending(row, head, destination, next: time)
        }
    }

    private func timed(
        _ index: String, _ isMet: String, _ time: WallTime, of account: Account?
    ) throws -> [(seq: Int64, destination: String, at: WallTime)] {
        let sql = """
            SELECT w.seq, w.destination, w.at FROM outbox_waiting w \(index) \
            JOIN outbox_route r ON r.id = w.route WHERE \(isMet) AND r.account = ? ORDER BY w.at, w.seq
            """
        return try db.query(sql) { row in
            try row.bind(time.nanoseconds, at: 1)
            try row.bind(RowKey.account(account), at: 2)
            var met: [(seq: Int64, destination: String, at: WallTime)] = []
            while try row.step() {
                met.append((row.integer(0), row.text(1), WallTime(nanoseconds: row.integer(2))))
            }
            return met
        }
    }

    // MARK: The end of an entry

    private mutating func remove(_ head: EntryHead) throws {
        // Dead deliveries count as open, so an entry that is removed has no row in `outbox_dead`.
        try db.run("DELETE FROM outbox_entry WHERE seq = ?") { try $0.bind(head.seq, at: 1) }
        if !head.isPlain {
            try db.run("DELETE FROM outbox_settled WHERE seq = ?") { try $0.bind(head.seq, at: 1) }
        }
        if head.depends {
            try db.run("DELETE FROM outbox_dependency WHERE seq = ?") { try $0.bind(head.seq, at: 1) }
        }
        // The dependents may be due now. Their lanes are marked, and `flush` computes the heads
        // again.
        for dependent in try dependents(of: head.id) { try change(unmetOf: dependent, by: -1) }
    }

    /// Updates a dependent whose dependency was added or removed.
    mutating func change(unmetOf seq: Int64, by difference: Int64) throws {
        try db.run("UPDATE outbox_entry SET unmet = unmet + ? WHERE seq = ?") { row in
            try row.bind(difference, at: 1)
            try row.bind(seq, at: 2)
        }
        guard let head = try entries.head(seq) else { return }
        for destination in try entries.form(seq).destinations {
            // The head of the lane may be this entry, whose time is NULL while a dependency is
            // unmet.
            if let lane = try lane(head.lane(to: destination)) { change(lane: lane.id) }
        }
    }
}

extension EntryColumn {
    var targetByDestination: [String: OutboxEntry.Target] {
        Dictionary(targets.map { ($0.destination, $0) }) { first, _ in first }
    }
}
#endif
