#if SQLite
internal import GRDB
public import WharfCore
public import WharfStorage

extension SQLiteCacheStore: InspectableCacheStore {
    /// Lists entries, the most recently used first.
    ///
    /// Hits of this process are written before the first page. Those of other processes count when
    /// these have written them, at the latest with their next commit. A damaged entry is removed
    /// and reported, as by a lookup.
    ///
    /// - Complexity: a page takes time in proportion to its entries.
    public func entries(usedBefore use: Int64?, limit: Int) async throws(StoreError) -> [CacheEntry] {
        try usage.enter()
        defer { usage.leave() }
        // Before the first page alone. Later pages would miss each entry that moves to the front.
        if use == nil { await writeMarks() }
        let listed: (entries: [CacheEntry], damaged: [(CacheKey, Damage)])
        do {
            listed = try await pool.patientRead("list entries") { db in
                try CacheTables(db: db).list(usedBefore: use ?? .max, limit: limit)
            }
        } catch {
            throw failure(error, doing: "list entries")
        }
        for (key, damage) in listed.damaged { await drop([damage], under: key) }
        return listed.entries
    }

    public func body(of entry: CacheEntry) async throws(StoreError) -> BodyStream? {
        try await lookup(entry.key, isUse: false) { _ in CacheSelection(id: entry.id) }.body
    }

    public func statistics() async throws(StoreError) -> CacheStatistics {
        try usage.enter()
        defer { usage.leave() }
        // A file that a tool has opened does not say which limit the app gives it.
        let limit = byteLimit == .max ? nil : byteLimit
        do {
            // One transaction, so that the count and the total are of one moment.
            return try await pool.patientRead("count entries") { db in
                CacheStatistics(
                    entryCount: Int(try db.integer("SELECT count(*) FROM response") ?? 0),
                    byteCount: try db.integer("SELECT bytes FROM total") ?? 0, byteLimit: limit)
            }
        } catch {
            throw failure(error, doing: "count entries")
        }
    }
}

extension CacheTables {
    /// Lists entries by the index of their use, and the damaged ones between them.
    func list(usedBefore use: Int64, limit: Int) throws -> (entries: [CacheEntry], damaged: [(CacheKey, Damage)]) {
        var entries: [CacheEntry] = []
        var damaged: [(CacheKey, Damage)] = []
        let sql = """
            SELECT id, account, method, target, head, size, used, site FROM response WHERE used < ? \
            ORDER BY used DESC
            """
        try db.query(sql) { row in
            try row.bind(use, at: 1)
            // The rows are stepped without a LIMIT. Otherwise damaged entries would shorten a page,
            // which then looks like the last one.
            while entries.count < limit, try row.step() {
                let key = CacheKey(
                    account: RowKey.account(row.text(1)), topLevelSite: RowKey.site(row.text(7)), method: row.text(2),
                    target: row.text(3))
                let seed = RowKey(key).seed
                guard let coded = try row.withBlob(4, { HeadCoding.decode($0, seed: seed) }) else {
                    let damage = Damage(id: row.integer(0), what: "its head does not match its checksum")
                    damaged.append((key, damage))
                    continue
                }
                entries.append(
                    CacheEntry(
                        id: row.integer(0), key: key, head: coded.head, bodyLength: coded.bodyLength,
                        byteCount: row.integer(5), lastUse: row.integer(6)))
            }
        }
        return (entries, damaged)
    }
}
#endif
