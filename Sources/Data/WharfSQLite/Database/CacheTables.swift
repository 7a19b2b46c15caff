#if SQLite
internal import GRDB
internal import WharfCore

/// The result of a lookup in one read transaction.
struct CacheMatch: Sendable {
    var variants: [StoredResponse] = []
    /// The selected variant and its body, if both are undamaged.
    var hit: (id: Int64, body: [UInt8])?
    var damaged: [Damage] = []
}

/// An entry that must not be served.
struct Damage: Sendable {
    let id: Int64
    let what: String
}

/// The statements of a cache, each to be run inside a transaction.
struct CacheTables {
    let db: Database

    // MARK: Reading

    func find(_ key: RowKey, select: ([StoredResponse]) -> Int64?) throws -> CacheMatch {
        var found = CacheMatch()
        var checksums: [Int64: UInt64] = [:]
        try db.query("SELECT id, head FROM response WHERE account = ? AND target = ? AND method = ?") { row in
            try bind(key, to: row)
            while try row.step() {
                let id = row.integer(0)
                guard let coded = try row.withBlob(1, { HeadCoding.decode($0, seed: key.seed) }) else {
                    found.damaged.append(Damage(id: id, what: "its head does not match its checksum"))
                    continue
                }
                found.variants.append(StoredResponse(id: id, head: coded.head, length: coded.bodyLength))
                checksums[id] = coded.bodyChecksum
            }
        }
        if found.variants.count > 1 { found.variants.sort { $0.id > $1.id } }
        guard let id = select(found.variants), let index = found.variants.firstIndex(where: { $0.id == id }) else {
            return found
        }
        if let body = try body(id, length: found.variants[index].length, checksum: checksums[id]) {
            found.hit = (id, body)
        } else {
            found.variants.remove(at: index)
            found.damaged.append(Damage(id: id, what: "its body does not match its length and checksum"))
        }
        return found
    }

    private func body(_ id: Int64, length: Int64, checksum: UInt64?) throws -> [UInt8]? {
        try db.query("SELECT bytes FROM body WHERE id = ?") { row in
            try row.bind(id, at: 1)
            guard try row.step() else { return nil }
            return try row.withBlob(0) { bytes in
                guard Int64(bytes.count) == length, XXH64.hash(bytes) == checksum else { return nil }
                return [UInt8](bytes)
            }
        }
    }

    // MARK: Writing

    /// Writes an entry, which replaces the variant with the same `varying`.
    func insert(
        _ key: RowKey, varying: [UInt8], head: [UInt8], body: [UInt8], reached: (WritePoint) -> Void
    ) throws -> Int64 {
        try removeVariant(key, varying, otherThan: 0)
        let size = Self.size(key, varying, head) + Int64(body.count)
        let tick = try nextTick()
        let sql = """
            INSERT INTO response (account, target, method, varying, used, size, head) VALUES (?, ?, ?, ?, ?, ?, ?)
            """
        try db.query(sql) { row in
            try bind(key, to: row)
            try row.bind(varying, at: 4)
            try row.bind(tick, at: 5)
            try row.bind(size, at: 6)
            try row.bind(head, at: 7)
            _ = try row.step()
        }
        let id = db.lastInsertedRowID
        reached(.headWritten)
        try db.query("INSERT INTO body (id, bytes) VALUES (?, ?)") { row in
            try row.bind(id, at: 1)
            try row.bind(body, at: 2)
            _ = try row.step()
        }
        reached(.bodyWritten)
        return id
    }

    /// Replaces the head of an entry. Nothing happens if the entry is gone or damaged.
    func replaceHead(_ id: Int64, _ key: RowKey, with head: StoredHead) throws {
        let old = try db.query(
            "SELECT head, size FROM response WHERE id = ? AND account = ? AND target = ? AND method = ?"
        ) {
            row -> (coded: HeadCoding, headSize: Int64, size: Int64)? in
            try row.bind(id, at: 1)
            try bind(key, to: row, from: 2)
            guard try row.step() else { return nil }
            return try row.withBlob(0) { bytes in
                HeadCoding.decode(bytes, seed: key.seed).map { ($0, Int64(bytes.count), row.integer(1)) }
            }
        }
        guard let old else { return }
        let varying = HeadCoding.canonical(head.varying)
        try removeVariant(key, varying, otherThan: id)
        var coded = old.coded
        coded.head = head
        let bytes = coded.encoded(seed: key.seed)
        try db.query("UPDATE response SET head = ?, varying = ?, size = ? WHERE id = ?") { row in
            try row.bind(bytes, at: 1)
            try row.bind(varying, at: 2)
            try row.bind(Self.size(key, varying, bytes) + coded.bodyLength, at: 3)
            try row.bind(id, at: 4)
            _ = try row.step()
        }
    }

    func remove(_ id: Int64) throws {
        try db.query("DELETE FROM response WHERE id = ?") { row in
            try row.bind(id, at: 1)
            _ = try row.step()
        }
    }

    func remove(_ id: Int64, _ key: RowKey) throws {
        try db.query("DELETE FROM response WHERE id = ? AND account = ? AND target = ? AND method = ?") { row in
            try row.bind(id, at: 1)
            try bind(key, to: row, from: 2)
            _ = try row.step()
        }
    }

    func removeAll(_ key: RowKey) throws {
        try db.query("DELETE FROM response WHERE account = ? AND target = ? AND method = ?") { row in
            try bind(key, to: row)
            _ = try row.step()
        }
    }

    func removeAll(account: String) throws {
        try db.query("DELETE FROM response WHERE account = ?") { row in
            try row.bind(account, at: 1)
            _ = try row.step()
        }
        // Even if no row was removed: bytes of rows removed earlier may be in the file.
        try Wipe(db: db).begin()
    }

    private func removeVariant(_ key: RowKey, _ varying: [UInt8], otherThan id: Int64) throws {
        let sql = "DELETE FROM response WHERE account = ? AND target = ? AND method = ? AND varying = ? AND id <> ?"
        try db.query(sql) { row in
            try bind(key, to: row)
            try row.bind(varying, at: 4)
            try row.bind(id, at: 5)
            _ = try row.step()
        }
    }

    // MARK: Use and size

    static func size(_ key: RowKey, _ varying: [UInt8], _ head: [UInt8]) -> Int64 {
        Int64(key.byteCount + varying.count + head.count)
    }

    /// Writes use marks in order: the last id is the most recently used.
    func use(_ ids: [Int64]) throws {
        guard !ids.isEmpty else { return }
        var tick = try db.integer("SELECT tick FROM total") ?? 0
        for id in ids {
            tick += 1
            try db.query("UPDATE response SET used = ? WHERE id = ?") { row in
                try row.bind(tick, at: 1)
                try row.bind(id, at: 2)
                _ = try row.step()
            }
        }
        try db.query("UPDATE total SET tick = ?") { row in
            try row.bind(tick, at: 1)
            _ = try row.step()
        }
    }

    /// Evicts the least recently used entries until at most `limit` bytes are kept.
    ///
    /// The entry `kept` is never evicted.
    func evict(downTo limit: Int64, except kept: Int64) throws {
        var excess = (try db.integer("SELECT bytes FROM total") ?? 0) - limit
        while excess > 0 {
            let victims = try db.query("SELECT id, size FROM response WHERE id <> ? ORDER BY used LIMIT 64") { row in
                try row.bind(kept, at: 1)
                var victims: [Int64] = []
                while excess > 0, try row.step() {
                    victims.append(row.integer(0))
                    excess -= row.integer(1)
                }
                return victims
            }
            if victims.isEmpty { return }
            for id in victims { try remove(id) }
        }
    }

    private func nextTick() throws -> Int64 {
        try db.integer("UPDATE total SET tick = tick + 1 RETURNING tick") ?? 0
    }

    private func bind(_ key: RowKey, to row: Query, from index: Int32 = 1) throws {
        try row.bind(key.account, at: index)
        try row.bind(key.target, at: index + 1)
        try row.bind(key.method, at: index + 2)
    }
}
#endif
