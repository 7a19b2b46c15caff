#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// The statements on entities, each to be run inside a transaction.
struct EntityTables {
    let db: Database

    func scope(_ account: Account?, _ kind: String) throws -> Int64? {
        try db.query("SELECT id FROM scope WHERE account = ? AND kind = ?") { row in
            try row.bind(RowKey.account(account), at: 1)
            try row.bind(kind, at: 2)
            return try row.step() ? row.integer(0) : nil
        }
    }

    /// Returns the ids of all field names that entities of a scope have or had.
    func names(_ scope: Int64) throws -> [String: Int64] {
        try db.query("SELECT name, id FROM name WHERE scope = ?") { row in
            try row.bind(scope, at: 1)
            var names: [String: Int64] = [:]
            while try row.step() { names[row.text(0)] = row.integer(1) }
            return names
        }
    }

    func row(_ key: EntityKey) throws -> EntityRow? {
        guard let scope = try scope(key.account, key.kind) else { return nil }
        return try found(key, in: scope)?.row
    }

    private func found(_ key: EntityKey, in scope: Int64) throws -> VersionedRow? {
        guard let id = try id(scope, key.id) else { return nil }
        // CROSS JOIN fixes the order: the fields of the entity first, then their names.
        let sql =
            "SELECT n.name, f.value FROM field f CROSS JOIN name n ON n.id = f.name WHERE f.entity = ? AND f.rank > 0"
        let fields = try db.query(sql) { row in
            try row.bind(id, at: 1)
            var fields: [String: FieldValue] = [:]
            while try row.step() { fields[row.text(0)] = FieldColumn.read(row, 1) }
            return fields
        }
        return try found(id, key.account, key.kind, fields)
    }

    // MARK: Versions

    func states(_ keys: [EntityKey]) throws -> EntityStates {
        let versions = VersionTables(db: db)
        var (found, floors): (EntityStates, [Account?: StoreVersion]) = (EntityStates(), [:])
        // A key may be asked for twice.
        for key in keys where found.states[key] == nil {
            // Account versions are of the same snapshot as the rows.
            if found.versions[key.account] == nil {
                let account = try versions.versions(of: key.account)
                found.versions[key.account] = account.version
                floors[key.account] = account.floor
            }
            let scope = try scope(key.account, key.kind)
            if let scope, let entity = try self.found(key, in: scope) {
                found.states[key] = EntityState(row: entity.row, version: entity.version)
            } else {
                let tombstone = try scope.flatMap { try versions.tombstone($0, key.id) }
                // A key without row and tombstone was removed at the floor or before, or never
                // existed. The floor covers both.
                found.states[key] = EntityState(row: nil, version: tombstone ?? floors[key.account] ?? .none)
            }
        }
        return found
    }

    /// Returns the version of a key, without reading its row.
    func version(_ key: EntityKey) throws -> StoreVersion {
        let versions = VersionTables(db: db)
        if let scope = try scope(key.account, key.kind) {
            let version: StoreVersion? = try db.query("SELECT version FROM entity WHERE scope = ? AND key = ?") { row in
                try row.bind(scope, at: 1)
                try row.bind(key.id, at: 2)
                return try row.step() ? StoreVersion(row.integer(0)) : nil
            }
            if let version = try version ?? versions.tombstone(scope, key.id) { return version }
        }
        return try versions.versions(of: key.account).floor
    }

    func has(_ key: EntityKey) throws -> Bool {
        guard let scope = try scope(key.account, key.kind) else { return false }
        return try id(scope, key.id) != nil
    }

    func rows(_ keys: [EntityKey]) throws -> [EntityKey: EntityRow] {
        var rows: [EntityKey: EntityRow] = [:]
        for key in keys where rows[key] == nil { rows[key] = try row(key) }
        return rows
    }

    /// - Parameter few: see ``EntitySearch/ids(_:few:)``. Examining 2,000 rows takes as long as
    ///   reading some pages.
    func rows(_ query: RowQuery, _ account: Account?, _ kind: String, few: Int = 2_000) throws -> [EntityRow] {
        try found(query, account, kind, few: few).map(\.row)
    }

    func list(_ query: RowQuery, _ account: Account?, _ kind: String) throws -> EntityList {
        EntityList(
            version: try VersionTables(db: db).versions(of: account).version,
            states: try found(query, account, kind, few: 2_000).map { EntityState(row: $0.row, version: $0.version) })
    }

    private struct VersionedRow {
        let row: EntityRow
        let version: StoreVersion
    }

    private func found(_ query: RowQuery, _ account: Account?, _ kind: String, few: Int) throws -> [VersionedRow] {
        // SQLite reads a negative limit as none.
        if let limit = query.limit, limit <= 0 { return [] }
        guard let scope = try scope(account, kind) else { return [] }
        let names = try names(scope)
        let search = EntitySearch(db: db, scope: scope, names: names)
        if let found = try search.ids(query, few: few) { return try entities(found, names, account, kind) }
        // The query is too large for SQLite, or a full-text index is missing. Core's own rules give
        // the same answer.
        let all = try entities(try search.ids(RowQuery(), few: few) ?? [], names, account, kind)
        return query.answer(all, id: { $0.row.key.id }, fields: { $0.row.fields })
    }

    /// Returns the fields of a condition that need a full-text index and have none.
    func unindexed(_ condition: Condition, _ account: Account?, _ kind: String) throws -> [Int64] {
        guard let scope = try scope(account, kind) else { return [] }
        return try EntitySearch(db: db, scope: scope, names: names(scope)).unindexed(condition)
    }

    private func entities(
        _ ids: [Int64], _ names: [String: Int64], _ account: Account?, _ kind: String
    ) throws -> [VersionedRow] {
        let nameOf = Dictionary(uniqueKeysWithValues: names.map { ($0.value, $0.key) })
        return try ids.compactMap { id in
            var fields: [String: FieldValue] = [:]
            for (name, value) in try values(id) where !value.isNull {
                if let name = nameOf[name] { fields[name] = value }
            }
            return try found(id, account, kind, fields)
        }
    }

    private func found(
        _ id: Int64, _ account: Account?, _ kind: String, _ fields: [String: FieldValue]
    ) throws -> VersionedRow? {
        let sql = "SELECT key, schema, as_of, bytes, stale_at, validator, version, basis FROM entity WHERE id = ?"
        return try db.query(sql) { row in
            try row.bind(id, at: 1)
            guard try row.step() else { return nil }
            var found = EntityRow(
                // A damaged or foreign number must not trap.
                key: EntityKey(account: account, kind: kind, id: row.text(0)), schema: Int(clamping: row.integer(1)),
                bytes: try row.withBlob(3) { [UInt8]($0) }, asOf: WallTime(nanoseconds: row.integer(2)),
                staleAt: row.optionalInteger(4).map(WallTime.init(nanoseconds:)), fields: fields)
            found.validator = row.optionalText(5)
            found.basis = row.optionalInteger(7).map { StoreVersion($0) }
            return VersionedRow(row: found, version: StoreVersion(row.integer(6)))
        }
    }

    func id(_ scope: Int64, _ key: String) throws -> Int64? {
        try db.query("SELECT id FROM entity WHERE scope = ? AND key = ?") { row in
            try row.bind(scope, at: 1)
            try row.bind(key, at: 2)
            return try row.step() ? row.integer(0) : nil
        }
    }

    /// Returns all fields of an entity by the ids of their names, including nulls.
    func values(_ id: Int64) throws -> [Int64: FieldValue] {
        try db.query("SELECT name, value FROM field WHERE entity = ?") { row in
            try row.bind(id, at: 1)
            var values: [Int64: FieldValue] = [:]
            while try row.step() { values[row.integer(0)] = FieldColumn.read(row, 1) }
            return values
        }
    }
}
#endif
