#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

extension JournalWriter {
    /// Applies a commit, without its entities.
    ///
    /// - Parameter memory: how many assigned ids, and how many discarded entries, are remembered.
    mutating func apply(_ commit: Commit, remembering memory: Int) throws -> CommitResult {
        // All expectations are compared before the first change, which would alter the states that
        // later ones see.
        try check(commit)
        var committed = CommitResult()
        // Before the settlements, which may remove the entry.
        for assignment in commit.assigned { try assign(assignment, in: commit) }
        if !commit.assigned.isEmpty { try forgetIDs(but: memory) }
        for settlement in commit.settled { try settle(settlement) }
        for rewrite in commit.rewritten { try apply(rewrite) }
        for delivery in commit.retried { try retry(delivery) }
        for delivery in commit.discarded { try discard(delivery) }
        if !commit.discarded.isEmpty { try forgetDiscarded(but: memory) }
        for (place, pause) in commit.paused { try self.pause(place, pause) }
        for place in commit.resumed { try resume(place) }
        // New entries come last: the same commit may settle or discard their dependencies.
        for entry in commit.enqueued { committed.dropped += try enqueue(entry) }
        for lease in commit.released { try release(lease) }
        try flush()
        return committed
    }

    // MARK: What it expects

    private mutating func check(_ commit: Commit) throws {
        // If nothing in the commit can remove an entry, the insertion itself detects a known id.
        if !(commit.settled.isEmpty && commit.discarded.isEmpty && commit.enqueued.allSatisfy(\.isDurable)) {
            for entry in commit.enqueued where try entries.head(entry.id) != nil { throw StoreError.known(entry.id) }
        }
        for assignment in commit.assigned {
            // A dependent that the committer has not seen would be sent with a temporary id.
            let others = try untouchedDependents(of: assignment.entry).map(\.id)
                .filter { !assignment.dependents.contains($0) }
            guard others.isEmpty else {
                throw StoreError(
                    .changed,
                    message: "\(assignment.entry) has other dependents than those that were seen: "
                        + "\(others.map(\.text).joined(separator: ", ")); read them, rewrite them, and commit again")
            }
        }
        for (letter, key) in commit.lookedAt { try check(letter, under: key) }
        if commit.rewritten.isEmpty { return }
        var settled: Set<DeliveryID> = []
        for settlement in commit.settled {
            // A delivery counts under any lease: the receiver has it. Other verdicts need the
            // current one.
            let counts = try settlement.outcome == .delivered || isCurrent(settlement.lease)
            if counts { settled.insert(settlement.delivery) }
        }
        let retried = Set(commit.retried)
        for rewrite in commit.rewritten { try check(rewrite, settled: settled, retried: retried) }
    }

    private mutating func check(_ rewrite: Rewrite, settled: Set<DeliveryID>, retried: Set<DeliveryID>) throws {
        guard let head = try entries.head(rewrite.entry) else {
            throw StoreError(
                .changed,
                message: "the journal has no entry \(rewrite.entry) to rewrite, because it is settled; read the "
                    + "entries again")
        }
        // Another process may have rewritten the payload since it was read.
        if let expected = rewrite.expected, try entries.entry(head.seq).payload != expected {
            throw StoreError.rewritten(rewrite.entry)
        }
        guard rewrite.owed.isEmpty else {
            let owed = try owed(head.seq)
            guard rewrite.owed != owed else { return }
            throw StoreError(
                .changed,
                message: "\(rewrite.entry) was not rewritten: the ids that it lacks changed from "
                    + "\(rewrite.owed.keys.sorted()) to \(owed.keys.sorted()) since they were read; lease the "
                    + "entry again")
        }
        var isAttempted = head.attempted
        for destination in try entries.form(head.seq).destinations {
            let id = DeliveryID(rewrite.entry, to: destination)
            let isSettled = settled.contains(id)
            if retried.contains(id) { try checkDead(head, destination) }
            isAttempted = isAttempted || isSettled
            // The receiver may get the old bytes at this moment. New bytes under the same key would
            // differ.
            guard try !isSettled && isOnItsWay(head, destination) else { continue }
            throw StoreError(
                .changed,
                message: "\(destination) is delivering \(rewrite.entry), so it can't be rewritten; rewrite it after "
                    + "its settlement")
        }
        // A receiver that knows the key ignores the new bytes.
        if rewrite.key == nil, isAttempted {
            throw StoreError(
                .changed,
                message: "\(rewrite.entry) was attempted, so its bytes can't change under the same key; give it a new "
                    + "key")
        }
    }

    private mutating func check(_ letter: DeliveryID, under key: IdempotencyKey) throws {
        if let head = try entries.head(letter.entry), case .dead? = try deliveryState(head, letter.destination),
            // The key identifies the state that the person saw: a rewrite gives a new one.
            try entries.entry(head.seq).key == key
        {
            return
        }
        throw StoreError(
            .changed,
            message: "the dead letter \(letter.entry) to \(letter.destination) under the key \(key.text) was settled "
                + "or changed since it was seen; read the dead letters again")
    }

    private mutating func checkDead(_ head: EntryHead, _ destination: String) throws {
        if case .dead? = try deliveryState(head, destination) { return }
        throw StoreError(
            .changed,
            message: "\(head.id) to \(destination) is no longer a dead letter to rewrite and retry, because it was "
                + "settled meanwhile; read the dead letters again")
    }

    /// Returns an entry's dependents that were never attempted and are not in flight.
    mutating func untouchedDependents(of entry: OutboxEntry.ID) throws -> [EntryHead] {
        try dependents(of: entry).compactMap { try entries.head($0) }.filter { head in
            if head.attempted { return false }
            return try entries.form(head.seq).destinations.allSatisfy { try !isOnItsWay(head, $0) }
        }
    }

    // MARK: Ids and bytes

    private func assign(_ assignment: IDAssignment, in commit: Commit) throws {
        let settled = commit.settled.first { $0.delivery.entry == assignment.entry }?.lease.lane.account
        // The dependents are owed the ids even if the entry itself is gone.
        for id in assignment.owed { if let head = try entries.head(id) { try owe(head.seq, assignment.ids) } }
        // If the entry is gone and this commit does not settle it, its account is unknown.
        guard
            let account = try entries.head(assignment.entry)?.account
                ?? (commit.settled.contains { $0.delivery.entry == assignment.entry } ? RowKey.account(settled) : nil)
        else { return }
        // Other ids of the entry may be forgotten. A later dependent must not take these for the
        // complete set.
        let isWhole = try !mayBeForgotten(assignment.entry, of: account)
        let sql = "INSERT OR REPLACE INTO outbox_assigned (account, temporary, given, entry) VALUES (?, ?, ?, ?)"
        for (temporary, given) in assignment.ids.sorted(by: { $0.key < $1.key }) {
            try db.run(sql) { row in
                try row.bind(account, at: 1)
                try row.bind(temporary, at: 2)
                try row.bind(given, at: 3)
                try row.bind(isWhole ? assignment.entry.text : "", at: 4)
            }
        }
    }

    private mutating func apply(_ rewrite: Rewrite) throws {
        // A settlement of the same commit may have removed it.
        guard let head = try entries.head(rewrite.entry) else { return }
        // A key that equals the id is stored as NULL.
        let sql = """
            UPDATE outbox_entry SET payload = ?2, key = CASE WHEN ?3 IS NULL THEN key WHEN ?3 = id THEN NULL ELSE ?3 END, \
            base = coalesce(?4, base), owed = CASE WHEN ?5 THEN owed END WHERE seq = ?1
            """
        try db.run(sql) { row in
            try row.bind(head.seq, at: 1)
            try row.bind(rewrite.payload, at: 2)
            try row.bind(rewrite.key?.text, at: 3)
            try row.bind(rewrite.base, at: 4)
            try row.bind(Int64(rewrite.owed.isEmpty ? 1 : 0), at: 5)
        }
        let growth = Int64(rewrite.payload.count) - head.size
        for destination in try entries.form(head.seq).destinations {
            // Only pending deliveries count towards the bytes of a lane.
            guard case .pending = try deliveryState(head, destination), let lane = try lane(head.lane(to: destination))
            else { continue }
            change(lane: lane.id, bytes: growth)
        }
    }

    // MARK: Pauses and leases

    /// Pauses a destination. An earlier pause keeps its time, as in ``OutboxPause/following(_:)``.
    func pause(_ place: PausedDestination, _ pause: OutboxPause) throws {
        let sql = """
            INSERT INTO outbox_pause (account, destination, since, reason) VALUES (?, ?, ?, ?) \
            ON CONFLICT (account, destination) DO UPDATE SET reason = coalesce(excluded.reason, reason)
            """
        try db.run(sql) { row in
            try row.bind(RowKey.account(place.account), at: 1)
            try row.bind(place.destination, at: 2)
            try row.bind(pause.since.nanoseconds, at: 3)
            try row.bind(pause.reason, at: 4)
        }
    }

    private func resume(_ place: PausedDestination) throws {
        try db.run("DELETE FROM outbox_pause WHERE account = ? AND destination = ?") { row in
            try row.bind(RowKey.account(place.account), at: 1)
            try row.bind(place.destination, at: 2)
        }
    }

    private mutating func release(_ lease: Lease) throws {
        // A late release of an old lease must not end the present one.
        guard let lane = try lane(lease.lane), lane.lease == lease.number else { return }
        try db.run("UPDATE outbox_lane SET until = NULL WHERE id = ?") { try $0.bind(lane.id, at: 1) }
        // The cached row still says that the lane is held.
        forget(lease.lane)
        // Marks the lane as changed, so that it is deleted if it is empty.
        change(lane: lane.id)
    }
}

extension StoreError {
    static func known(_ id: OutboxEntry.ID) -> StoreError {
        StoreError(
            .changed, message: "the journal already has an entry \(id); give each entry an id of its own")
    }
}

extension OutboxEntry {
    fileprivate var isDurable: Bool { deliveryClass == .durable }
}

extension EntryColumn {
    /// The destinations, each once, in the order of the targets.
    var destinations: [String] {
        var names: Set<String> = []
        return targets.map(\.destination).filter { names.insert($0).inserted }
    }
}
#endif
