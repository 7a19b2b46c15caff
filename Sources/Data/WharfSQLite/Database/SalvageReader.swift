#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfPrimitives

/// A damaged data file. Each walk through it may end at an unreadable page.
struct SalvageReader {
    let db: Database
    let now: WallTime

    /// Opens a copy of the damaged file, and changes that copy.
    ///
    /// All files of one schema have the same first pages, except for numbers that SQLite finds by
    /// itself. So the pages of a new file replace damaged ones. The new file has the version whose
    /// tables fit the pages of the damaged one.
    static func open(_ path: String) throws -> DatabaseQueue {
        do {
            return try openAndCheck(path)
        } catch let error as StoreError where error.code != .corrupt {
            // A file of another program or of a newer version is not damaged.
            throw error
        } catch {
            let sample = path + ".sample"
            var best: (schema: Schema, misfits: Int)?
            for schema in Schema.dataVersions {
                let misfits = try Disk.misfits(of: path, makeSample(sample, of: schema))
                try Disk.removeDatabase(sample)
                // Versions 3 to 6 fit equally, as their tables are on the same pages. The newer
                // schema serves all of them.
                if misfits < best?.misfits ?? .max { best = (schema, misfits) }
            }
            // The samples were removed, so the best one is made again.
            _ = try makeSample(sample, of: best?.schema ?? .data)
            try Disk.copySchema(of: sample, to: path)
            try Disk.removeDatabase(sample)
            return try openAndCheck(path)
        }
    }

    private static func openAndCheck(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        // Makes damage an error instead of a wrong value.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cell_size_check = ON") }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            guard case .ours(let version) = try Schema.data.owner(db, path: path) else {
                throw StoreError(.corrupt, message: "the data file \(path) is empty; there is nothing to salvage")
            }
            // An older file is not migrated, because that would read every page of its entities.
            let schema = Schema.dataVersions.last { version <= $0.version } ?? .data
            try schema.prepare(db, path: path)
        }
        return queue
    }

    /// Creates an empty file.
    ///
    /// - Returns: the root pages of its tables and indexes.
    private static func makeSample(_ path: String, of schema: Schema) throws -> [Int: UInt8] {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            // SQLite reads a log only if the first page says that there is one.
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try schema.prepare(db, path: path)
        }
        try queue.close()
        return try roots(path)
    }

    /// Returns the root pages of a file's tables and indexes, with their kinds.
    private static func roots(_ path: String) throws -> [Int: UInt8] {
        let queue = try DatabaseQueue(path: path)
        let pages = try queue.read { db in
            try db.query("SELECT rootpage FROM sqlite_master WHERE rootpage > 0") { row in
                var pages: [Int] = []
                while try row.step() { pages.append(Int(row.integer(0))) }
                return pages
            }
        }
        try queue.close()
        return try Disk.pageKinds(of: path, pages)
    }

    /// Writes all readable rows into another file, inside its transaction.
    func copy(to target: Database) throws -> SQLiteDataFile.SalvageResult {
        var salvaged = SQLiteDataFile.SalvageResult()
        var isWhole = true
        var scopes: [Int64: (account: Account?, kind: String)] = [:]
        // Scopes and names first: rows and fields refer to them by number.
        walk(
            "SELECT id, account, kind FROM scope", by: ["NOT INDEXED ORDER BY id", "ORDER BY account, kind"], &isWhole
        ) {
            scopes[$0.integer(0)] = (RowKey.account($0.text(1)), $0.text(2))
        }
        var names: [Int64: [Int64: String]] = [:]
        walk("SELECT scope, id, name FROM name", by: ["NOT INDEXED ORDER BY id", "ORDER BY scope, name"], &isWhole) {
            names[$0.integer(0), default: [:]][$0.integer(1)] = $0.text(2)
        }
        // An index may list rows whose pages can't be read. They are counted as lost.
        var ids: Set<Int64> = []
        walk("SELECT id FROM entity", by: ["NOT INDEXED ORDER BY id", "ORDER BY scope, key"], &isWhole) {
            ids.insert($0.integer(0))
        }
        var fields: [Int64: [Int64: FieldValue]] = [:]
        let orders = ["ORDER BY name, rank, value, key", "INDEXED BY field_entity ORDER BY entity, name"]
        walk("SELECT entity, name, value FROM field", by: orders, &isWhole) { row in
            fields[row.integer(0), default: [:]][row.integer(1)] = FieldColumn.read(row, 2)
        }
        // A row may be known by its fields alone.
        ids.formUnion(fields.keys)

        // Unlogged: each account starts with a floor, so no log is needed.
        var writer = EntityWriter(target) { _ in }
        for (account, version) in try numberAccounts(of: scopes, in: target) {
            writer.begin(account, at: version, isLogged: false)
        }
        for id in ids.sorted() {
            // A row without its scope has no account. Guessing one would show it to another user.
            guard let (scope, row) = entity(id), let place = scopes[scope] else {
                salvaged.rowsLost += 1
                continue
            }
            // Lost models come back only if all of them are requested again, so no sync state is
            // copied.
            if SyncRow.isKind(place.kind) { continue }
            var whole = row
            whole.key.account = place.account
            whole.key.kind = place.kind
            let known = names[scope] ?? [:]
            let values = fields[id] ?? [:]
            for (name, value) in values { if let name = known[name] { whole.fields[name] = value } }
            // Each row has a field for each name of its scope, also for null.
            if values.count < known.count { salvaged.rowsWithoutAllFields += 1 }
            try writer.write(.put(whole))
            salvaged.rowsRead += 1
        }

        var values: [UTF8Key: [UInt8]] = [:]
        walk("SELECT key, bytes FROM value", by: ["ORDER BY key"], &isWhole) { row in
            let key = UTF8Key(row.text(0))
            values[key] = try row.withBlob(1) { [UInt8]($0) }
        }
        for (key, bytes) in values {
            try ValueTable(db: target).set(bytes, for: key.text)
        }
        salvaged.rowsRead += values.count
        try copyJournal(to: target, &salvaged, &isWhole)
        salvaged.mayHaveLostMore = !isWhole
        return salvaged
    }

    private func entity(_ id: Int64) -> (scope: Int64, row: EntityRow)? {
        var found: (Int64, EntityRow)?
        var isWhole = true
        walk(
            "SELECT scope, key, schema, as_of, bytes, stale_at, validator FROM entity WHERE id = \(id)",
            by: ["ORDER BY id"], &isWhole
        ) {
            var row = EntityRow(
                key: EntityKey(kind: "", id: $0.text(1)), schema: Int(clamping: $0.integer(2)),
                bytes: try $0.withBlob(4) { [UInt8]($0) }, asOf: WallTime(nanoseconds: $0.integer(3)),
                staleAt: $0.optionalInteger(5).map(WallTime.init(nanoseconds:)))
            row.validator = $0.optionalText(6)
            found = ($0.integer(0), row)
        }
        // An error beside the row makes it doubtful, so it counts as lost.
        return isWhole ? found : nil
    }

    /// Walks along each order from both ends, each time up to the first unreadable page.
    func walk(_ sql: String, by orders: [String], _ isWhole: inout Bool, _ body: (Query) throws -> Void) {
        // Each order is walked, even after a whole one. A damaged page may hide rows that only an
        // index still lists.
        for order in orders {
            let backwards = order.replacing(", ", with: " DESC, ") + " DESC"
            for direction in [order, backwards] {
                do {
                    try db.uncachedQuery("\(sql) \(direction)") { row in while try row.step() { try body(row) } }
                    // The other direction would visit the same rows.
                    break
                } catch {
                    isWhole = false
                }
            }
        }
    }
}
#endif
