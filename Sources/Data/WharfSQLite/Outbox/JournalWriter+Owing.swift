#if SQLite
internal import GRDB
internal import WharfCore

// Assigned ids that still have to be put into the payloads of entries.
extension JournalWriter {
    func owed(_ seq: Int64) throws -> [String: String] {
        try db.query("SELECT owed FROM outbox_entry WHERE seq = ?") { row in
            try row.bind(seq, at: 1)
            return try row.step() ? try OwedColumn.read(row, 0) : [:]
        }
    }

    func owe(_ seq: Int64, _ ids: [String: String]) throws {
        if ids.isEmpty { return }
        // A new assignment of an id replaces the old one.
        let all = try owed(seq).merging(ids) { $1 }
        try db.run("UPDATE outbox_entry SET owed = ?2 WHERE seq = ?1") { row in
            try row.bind(seq, at: 1)
            try row.bind(OwedColumn.bytes(all), at: 2)
        }
    }

    /// Records the ids that a new entry is owed from its delivered dependencies.
    func oweGiven(_ seq: Int64, _ dependencies: Set<OutboxEntry.ID>) throws {
        for id in dependencies.sorted() {
            let given = try db.query("SELECT temporary, given FROM outbox_assigned WHERE entry = ?") { row in
                try row.bind(id.text, at: 1)
                var given: [String: String] = [:]
                while try row.step() { given[row.text(0)] = row.text(1) }
                return given
            }
            try owe(seq, given)
        }
    }

    /// Remembers a discarded entry. If another of its deliveries was discarded before, it keeps its
    /// place.
    func noteDiscarded(_ head: EntryHead) throws {
        // `ON CONFLICT` would use up a number of AUTOINCREMENT and shift the bound.
        let sql = """
            INSERT INTO outbox_discarded (id, account) SELECT ?1, ?2 \
            WHERE NOT EXISTS (SELECT 1 FROM outbox_discarded WHERE id = ?1)
            """
        try db.run(sql) { row in
            try row.bind(head.id.text, at: 1)
            try row.bind(head.account, at: 2)
        }
    }

    mutating func setAside(_ id: OutboxEntry.ID, for failure: DeliveryFailure) throws {
        if let head = try entries.head(id) { try setAside(head.seq, for: failure) }
    }

    /// Makes the open deliveries of an entry dead letters because of a dependency.
    mutating func setAside(_ seq: Int64, for failure: DeliveryFailure) throws {
        guard let head = try entries.head(seq) else { return }
        let failure = FailureColumn.bytes(failure)
        for destination in try entries.form(seq).destinations {
            // Dead and settled deliveries stay as they are.
            let taken = try takePending(head, destination) ?? takeWaiting(head, destination)
            guard let taken else { continue }
            try putDead(taken, head, destination, failure, at: head.enqueuedAt)
        }
    }
}
#endif
