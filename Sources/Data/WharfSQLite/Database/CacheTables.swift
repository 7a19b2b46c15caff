#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// The result of a lookup in one read transaction.
struct CacheMatch: Sendable {
    var variants: [StoredResponse] = []
    /// The selected variant and its body, if both are undamaged.
    var hit: (id: Int64, body: StoredBytes)?
    var damaged: [Damage] = []
}

/// The wanted bytes of a stored body.
enum StoredBytes: Sendable {
    case array([UInt8])
    case file(OpenBodyFile, Range<Int64>)
}

/// An entry that must not be served.
struct Damage: Error {
    let id: Int64
    let what: String
    /// Whether the file of the body is missing.
    ///
    /// Another process may have removed the entry since the snapshot of the lookup, with its file.
    var isMissing = false
}

/// The statements of a cache, each to be run inside a transaction.
struct CacheTables {
    let db: Database

    // MARK: Reading

    // `select` runs inside the read transaction, so head and body are of one snapshot. The file of
    // a large body is opened inside it too, and stays readable if it is removed later.
    func find(
        _ key: RowKey, in bodies: BodyFolder, select: ([StoredResponse]) -> CacheSelection?
    ) throws -> CacheMatch {
        var found = CacheMatch()
        var checksums: [Int64: UInt64] = [:]
        try db.query(Self.variantsOfKey) { row in
            try bind(key, to: row)
            while try row.step() {
                let id = row.integer(0)
                // A damaged head hides its variant from the selection. The caller removes it later,
                // outside this read.
                guard let coded = try row.withBlob(1, { HeadCoding.decode($0, seed: key.seed) }) else {
                    found.damaged.append(Damage(id: id, what: "its head does not match its checksum"))
                    continue
                }
                found.variants.append(StoredResponse(id: id, head: coded.head, length: coded.bodyLength))
                checksums[id] = coded.bodyChecksum
            }
        }
        // The newest variant comes first; ids only grow.
        if found.variants.count > 1 { found.variants.sort { $0.id > $1.id } }
        guard let selection = select(found.variants),
            let index = found.variants.firstIndex(where: { $0.id == selection.id })
        else { return found }
        let id = selection.id
        let length = found.variants[index].length
        // The body is opened for the selected variant alone.
        switch try body(id, selection.bytes(of: length), length: length, checksum: checksums[id], in: bodies) {
        case .success(let body): found.hit = (id, body)
        case .failure(let damage):
            found.variants.remove(at: index)
            found.damaged.append(damage)
        }
        return found
    }

    private func body(
        _ id: Int64, _ wanted: Range<Int64>, length: Int64, checksum: UInt64?, in bodies: BodyFolder
    ) throws -> Result<StoredBytes, Damage> {
        let mismatch = Damage(id: id, what: "its body does not match its length and checksum")
        let inRow = try db.query("SELECT bytes FROM body WHERE id = ?") { row -> Result<StoredBytes, Damage>? in
            try row.bind(id, at: 1)
            guard try row.step() else { return nil }
            return try row.withBlob(0) { bytes in
                // The length is compared first. A truncated body needs no checksum.
                guard Int64(bytes.count) == length, XXH64.hash(bytes) == checksum else { return .failure(mismatch) }
                let part = bytes[Int(wanted.lowerBound)..<Int(wanted.upperBound)]
                return .success(.array([UInt8](part)))
            }
        }
        if let inRow { return inRow }
        // The head has the token in place of the checksum of the body. So no file can pass under
        // another head or key.
        guard let token = try token(of: id), token == checksum else { return .failure(mismatch) }
        switch try bodies.open(token, length: length) {
        case .file(let file): return .success(.file(file, wanted))
        case .missing: return .failure(Damage(id: id, what: "the file of its body is missing", isMissing: true))
        case .cut(let size):
            return .failure(
                Damage(id: id, what: "the file of its body has \(size) bytes, which are not those of \(length)"))
        }
    }

    private func token(of id: Int64) throws -> UInt64? {
        try db.query("SELECT token FROM body_file WHERE id = ?") { row in
            try row.bind(id, at: 1)
            return try row.step() ? UInt64(bitPattern: row.integer(0)) : nil
        }
    }

    func contains(_ id: Int64) throws -> Bool {
        try db.query("SELECT 1 FROM response WHERE id = ?") { row in
            try row.bind(id, at: 1)
            return try row.step()
        }
    }

    /// The tokens of all body files that have a row.
    func tokens() throws -> Set<UInt64> {
        try db.query("SELECT token FROM body_file") { row in
            var tokens: Set<UInt64> = []
            while try row.step() { tokens.insert(UInt64(bitPattern: row.integer(0))) }
            return tokens
        }
    }

    // MARK: Writing

    /// The body of a new entry.
    enum NewBody: Sendable {
        case array([UInt8])
        case file(token: UInt64, length: Int64)

        var length: Int64 {
            switch self {
            case .array(let bytes): Int64(bytes.count)
            case .file(_, let length): length
            }
        }
    }

    /// Writes an entry, which replaces the variant with the same `varying`.
    func insert(
        _ key: RowKey, varying: [UInt8], head: [UInt8], body: NewBody, reached: (WritePoint) -> Void
    ) throws -> Int64 {
        // The index of keys is unique, so the old variant must go first. Its trigger subtracts its
        // size.
        try removeVariant(key, varying, otherThan: 0)
        let size = Self.size(key, varying, head) + body.length
        let tick = try nextTick()
        let sql = """
            INSERT INTO response (account, target, method, site, varying, used, size, head) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.query(sql) { row in
            try bind(key, to: row)
            try row.bind(varying, at: 5)
            try row.bind(tick, at: 6)
            try row.bind(size, at: 7)
            try row.bind(head, at: 8)
            _ = try row.step()
        }
        let id = db.lastInsertedRowID
        reached(.headWritten)
        switch body {
        case .array(let bytes):
            try db.run("INSERT INTO body (id, bytes) VALUES (?, ?)") { row in
                try row.bind(id, at: 1)
                try row.bind(bytes, at: 2)
            }
        case .file(let token, _):
            try db.run("INSERT INTO body_file (id, token) VALUES (?, ?)") { row in
                try row.bind(id, at: 1)
                try row.bind(Int64(bitPattern: token), at: 2)
            }
        }
        reached(.bodyWritten)
        return id
    }

    /// Replaces the head of an entry. Nothing happens if the entry is gone or damaged.
    func replaceHead(_ id: Int64, _ key: RowKey, with head: StoredHead) throws {
        // A late 304 finds its entry by id and key. AUTOINCREMENT never gives an id again.
        let old = try db.query("SELECT head, size FROM response WHERE id = ? AND \(Self.isKey)") {
            row -> (coded: HeadCoding, headSize: Int64, size: Int64)? in
            try row.bind(id, at: 1)
            try bind(key, to: row, from: 2)
            guard try row.step() else { return nil }
            return try row.withBlob(0) { bytes in
                // A damaged head is not repaired here. The checksum of the body would be lost.
                HeadCoding.decode(bytes, seed: key.seed).map { ($0, Int64(bytes.count), row.integer(1)) }
            }
        }
        guard let old else { return }
        let varying = HeadCoding.canonical(head.varying)
        // The new head may vary by other fields and then equal another variant's. The unique index
        // would refuse the update.
        try removeVariant(key, varying, otherThan: id)
        // Length and checksum of the body stay those of the stored body.
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
        // The key is part of the test: an id alone could be that of another account's entry, if the
        // caller mixed them up.
        try db.query("DELETE FROM response WHERE id = ? AND \(Self.isKey)") { row in
            try row.bind(id, at: 1)
            try bind(key, to: row, from: 2)
            _ = try row.step()
        }
    }

    /// Removes the entries of a key, of all sites.
    func removeAll(_ key: RowKey) throws {
        try db.query("DELETE FROM response WHERE account = ? AND target = ? AND method = ?") { row in
            try row.bind(key.account, at: 1)
            try row.bind(key.target, at: 2)
            try row.bind(key.method, at: 3)
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

    /// Takes the tokens of the body files whose entries this transaction has removed.
    ///
    /// Call it at the end of a transaction, and remove the files after its commit.
    func takeRemovedFiles() throws -> [UInt64] {
        try db.query("DELETE FROM removed_file RETURNING token") { row in
            var tokens: [UInt64] = []
            while try row.step() { tokens.append(UInt64(bitPattern: row.integer(0))) }
            return tokens
        }
    }

    private func removeVariant(_ key: RowKey, _ varying: [UInt8], otherThan id: Int64) throws {
        try db.query("DELETE FROM response WHERE \(Self.isKey) AND varying = ? AND id <> ?") { row in
            try bind(key, to: row)
            try row.bind(varying, at: 5)
            try row.bind(id, at: 6)
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
        // Ticks are stored, so the order of use survives a restart and is shared by processes.
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
    func evict(downTo limit: Int64, except kept: Int64) throws -> [CacheEviction] {
        try evict(
            (try db.integer("SELECT bytes FROM total") ?? 0) - limit, except: kept, because: .byteLimit,
            """
            SELECT id, size, account, target, method, site FROM response WHERE id <> ? ORDER BY used LIMIT 64
            """)
    }

    /// Evicts the least recently used entries with a body file, until `excess` bytes are removed.
    ///
    /// Other entries would give the disk nothing back, because SQLite keeps the pages of its file.
    func evictFiles(of excess: Int64) throws -> [CacheEviction] {
        try evict(
            excess, except: 0, because: .fullDisk,
            """
            SELECT id, size, account, target, method, site FROM response \
            WHERE id <> ? AND id IN (SELECT id FROM body_file) ORDER BY used LIMIT 64
            """)
    }

    private func evict(
        _ excess: Int64, except kept: Int64, because reason: CacheEviction.Reason, _ sql: String
    ) throws -> [CacheEviction] {
        var excess = excess
        var evictions: [CacheEviction] = []
        while excess > 0 {
            // In portions: the statement must not walk rows while they are deleted. The deletion
            // follows after the reset.
            let victims = try db.query(sql) { row in
                try row.bind(kept, at: 1)
                var victims: [Int64] = []
                while excess > 0, try row.step() {
                    victims.append(row.integer(0))
                    excess -= row.integer(1)
                    let key = CacheKey(
                        account: RowKey.account(row.text(2)), topLevelSite: RowKey.site(row.text(5)),
                        method: row.text(4), target: row.text(3))
                    evictions.append(CacheEviction(key: key, byteCount: row.integer(1), reason: reason))
                }
                return victims
            }
            // Only `kept` is left. It stays even if it alone is above the limit.
            if victims.isEmpty { break }
            for id in victims { try remove(id) }
        }
        return evictions
    }

    private func nextTick() throws -> Int64 {
        try db.integer("UPDATE total SET tick = tick + 1 RETURNING tick") ?? 0
    }

    /// The condition for the columns of a key, in the order of ``bind(_:to:from:)``.
    private static let isKey = "account = ? AND target = ? AND method = ? AND site = ?"

    // Composed once: a hit makes no text.
    private static let variantsOfKey = "SELECT id, head FROM response WHERE \(isKey)"

    private func bind(_ key: RowKey, to row: Query, from index: Int32 = 1) throws {
        try row.bind(key.account, at: index)
        try row.bind(key.target, at: index + 1)
        try row.bind(key.method, at: index + 2)
        try row.bind(key.site, at: index + 3)
    }
}
#endif
