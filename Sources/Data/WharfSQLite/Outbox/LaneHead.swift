#if SQLite
internal import GRDB

/// The columns of a lane that describe its first delivery.
///
/// They are read by a separate statement. A single statement that reads and writes makes SQLite
/// keep copies of the pages for its undo. That took half of the time of a commit of settlements.
struct LaneHead {
    let seq: Int64
    let route: Int64
    /// Since when the delivery is due; nil if it also waits for a dependency.
    let ready: Int64?
    /// When it was last attempted.
    let tried: Int64?
    let enqueuedAt: Int64

    /// Returns nil if nothing of the lane is pending.
    init?(of lane: Int64, _ db: Database) throws {
        let sql = """
            SELECT d.seq, d.route, CASE WHEN e.unmet = 0 THEN d.next END, d.last, e.enqueued_at FROM outbox_delivery d \
            JOIN outbox_entry e ON e.seq = d.seq WHERE d.lane = ? ORDER BY d.seq LIMIT 1
            """
        let found: LaneHead? = try db.query(sql) { row in
            try row.bind(lane, at: 1)
            return try row.step() ? LaneHead(row) : nil
        }
        guard let found else { return nil }
        self = found
    }

    private init(_ row: Query) {
        seq = row.integer(0)
        route = row.integer(1)
        ready = row.optionalInteger(2)
        tried = row.optionalInteger(3)
        enqueuedAt = row.integer(4)
    }
}
#endif
