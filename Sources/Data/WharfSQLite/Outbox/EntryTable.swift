#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// The columns of an entry that the journal's statements need, without its bytes.
struct EntryHead {
    let seq: Int64
    let id: OutboxEntry.ID
    /// The account as ``RowKey/account(_:)-(Account?)`` encodes it.
    let account: String
    let lane: String
    let kind: String
    let enqueuedAt: WallTime
    /// Whether the entry has one destination, without a condition.
    let isPlain: Bool
    let depends: Bool
    let unmet: Int64
    /// The length of the payload in bytes.
    let size: Int64
    /// The number of its deliveries that are waiting, pending or dead.
    var open: Int64
    var attempted: Bool

    func lane(to destination: String) -> Lease.Lane {
        Lease.Lane(account: RowKey.account(account), name: lane, destination: destination)
    }
}

/// The statements that read entries.
struct EntryTable {
    let db: Database

    // `length` of a blob is in the row's header. The payload itself is not read.
    private static let head = """
        seq, id, account, lane, kind, enqueued_at, plain, depends, unmet, length(payload), open, attempted
        """

    func head(_ id: OutboxEntry.ID) throws -> EntryHead? {
        try db.query("SELECT \(Self.head) FROM outbox_entry WHERE id = ?") { row in
            try row.bind(id.text, at: 1)
            return try row.step() ? Self.head(row) : nil
        }
    }

    func head(_ seq: Int64) throws -> EntryHead? {
        try db.query("SELECT \(Self.head) FROM outbox_entry WHERE seq = ?") { row in
            try row.bind(seq, at: 1)
            return try row.step() ? Self.head(row) : nil
        }
    }

    private static func head(_ row: Query) -> EntryHead {
        EntryHead(
            seq: row.integer(0), id: OutboxEntry.ID(row.text(1)), account: row.text(2), lane: row.text(3),
            kind: row.text(4), enqueuedAt: WallTime(nanoseconds: row.integer(5)), isPlain: row.integer(6) > 0,
            depends: row.integer(7) > 0, unmet: row.integer(8), size: row.integer(9), open: row.integer(10),
            attempted: row.integer(11) > 0)
    }

    func form(_ seq: Int64) throws -> EntryColumn {
        try db.query("SELECT form FROM outbox_entry WHERE seq = ?") { row in
            try row.bind(seq, at: 1)
            guard try row.step(), let form = try row.withBlob(0, EntryColumn.init) else { throw Self.damaged(seq) }
            return form
        }
    }

    // MARK: Whole entries

    /// The columns that ``entry(_:from:)`` reads.
    static let columns = "e.id, e.account, e.lane, e.kind, e.version, e.key, e.enqueued_at, e.form, e.base, e.payload"

    static func entry(_ row: Query, from column: Int32) throws -> OutboxEntry {
        let id = OutboxEntry.ID(row.text(column))
        guard let form = try row.withBlob(column + 7, EntryColumn.init) else {
            // A guessed class or target could send the entry twice or to the wrong place.
            throw StoreError(
                .corrupt, message: "the class, targets and dependencies of the entry \(id) are damaged")
        }
        var entry = OutboxEntry(
            id: id, lane: row.text(column + 2),
            kind: OutboxEntry.Kind(row.text(column + 3), version: Int(clamping: row.integer(column + 4))),
            payload: try row.withBlob(column + 9) { [UInt8]($0) }, targets: form.targets,
            enqueuedAt: WallTime(nanoseconds: row.integer(column + 6)))
        entry.account = RowKey.account(row.text(column + 1))
        entry.base = try row.optionalBlob(column + 8)
        if let key = row.optionalText(column + 5) { entry.key = IdempotencyKey(key) }
        entry.deliveryClass = form.deliveryClass
        entry.dependencies = form.dependencies
        return entry
    }

    func entry(_ seq: Int64) throws -> OutboxEntry {
        try db.query("SELECT \(Self.columns) FROM outbox_entry e WHERE e.seq = ?") { row in
            try row.bind(seq, at: 1)
            guard try row.step() else { throw Self.damaged(seq) }
            return try Self.entry(row, from: 0)
        }
    }

    private static func damaged(_ seq: Int64) -> StoreError {
        StoreError(
            .corrupt, message: "the journal has no undamaged entry of the number \(seq)")
    }
}
#endif
