#if SQLite
internal import GRDB
internal import WharfCore

/// The positions of an account's entries.
///
/// They are read kind by kind along an index, so entries of other accounts cost nothing.
struct EntryPositions {
    let db: Database
    /// The account as ``RowKey/account(_:)-(Account?)`` encodes it.
    let account: String
    /// The most ids that a linear search examines.
    var reach = 1_000

    static let next = """
        SELECT seq FROM outbox_entry INDEXED BY outbox_kind WHERE kind = ?1 AND account = ?2 AND seq > ?3 \
        ORDER BY seq LIMIT ?4
        """

    /// - Parameter kind: nil for all.
    func page(_ kind: String?, after seq: Int64, limit: Int) throws -> [Int64] {
        var found: [Int64] = []
        // The index is by kind, account and position: one walk for each kind, then one merge.
        for kind in try kind.map({ [$0] }) ?? kinds() { found += try next(kind, after: seq, limit: limit) }
        return Array(found.sorted().prefix(limit))
    }

    /// The position of an entry, or of its predecessor by id if it is gone.
    func place(of id: OutboxEntry.ID) throws -> Int64 {
        // The cheap ways first: the entry itself, its neighbours by id, then a binary search.
        try EntryTable(db: db).head(id)?.seq ?? near(id) ?? search(id)
    }

    /// Searches backwards from the id.
    ///
    /// It returns nil if too many entries of other accounts come first.
    private func near(_ id: OutboxEntry.ID) throws -> Int64? {
        try db.query("SELECT seq, account FROM outbox_entry WHERE id < ? ORDER BY id DESC LIMIT ?") { row in
            try row.bind(id.text, at: 1)
            try row.bind(Int64(reach), at: 2)
            var count = 0
            while try row.step() {
                if row.text(1) == account { return row.integer(0) }
                count += 1
            }
            // Fewer than `reach` rows were examined, so no earlier entry of the account exists.
            return count < reach ? 0 : nil
        }
    }

    /// Finds the predecessor by a binary search.
    ///
    /// It assumes that later entries have greater ids, which is true if the clocks were right.
    private func search(_ id: OutboxEntry.ID) throws -> Int64 {
        let newest = try db.integer("SELECT max(seq) FROM outbox_entry") ?? 0
        var place: Int64 = 0
        for kind in try kinds() {
            // Every entry behind `high` has a greater id.
            var (low, high) = (place, newest)
            while low < high {
                let middle = low + (high - low) / 2
                let next = try next(kind, after: middle, limit: 1).first
                // `next` jumps over other accounts, so `middle` need not be an entry of this one.
                if let next, next <= high, let found = try EntryTable(db: db).head(next)?.id, found < id {
                    low = next
                } else {
                    high = middle
                }
            }
            place = low
        }
        return place
    }

    /// The kinds of the account's routes. Every entry in the journal has a route.
    private func kinds() throws -> [String] {
        try db.query("SELECT DISTINCT kind FROM outbox_route WHERE account = ?") { row in
            try row.bind(account, at: 1)
            var kinds: [String] = []
            while try row.step() { kinds.append(row.text(0)) }
            return kinds
        }
    }

    private func next(_ kind: String, after seq: Int64, limit: Int) throws -> [Int64] {
        try db.query(Self.next) { row in
            try row.bind(kind, at: 1)
            try row.bind(account, at: 2)
            try row.bind(seq, at: 3)
            try row.bind(Int64(limit), at: 4)
            return try row.integers()
        }
    }
}
#endif
