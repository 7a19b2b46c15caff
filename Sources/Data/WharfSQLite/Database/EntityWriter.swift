#if SQLite
internal import GRDB
internal import WharfCore

/// Writes the changes of one commit, inside its transaction.
///
/// Unchanged fields are not written.
struct EntityWriter {
    private struct Scope {
        let id: Int64
        var names: [String: Int64]
        /// The fields with a full-text index.
        let indexed: Set<Int64>
    }

    /// The part of the commit that changes one account.
    private struct Part {
        let id: Int64
        let version: StoreVersion
        let isLogged: Bool
    }

    private let db: Database
    private let tables: EntityTables
    private let versions: VersionTables
    private let words: WordTables
    private let reached: (DataPoint) -> Void
    private var scopes: [EntityKey: Scope] = [:]
    private var parts: [Account?: Part] = [:]

    init(_ db: Database, reached: @escaping (DataPoint) -> Void) {
        self.db = db
        tables = EntityTables(db: db)
        versions = VersionTables(db: db)
        words = WordTables(db: db)
        self.reached = reached
    }

    /// Begins the changes of an account. Call it before the first of them.
    ///
    /// - Parameter isLogged: false if the account has no tombstones and gets none.
    mutating func begin(_ account: Account?, at version: StoreVersion, isLogged: Bool) {
        parts[account] = Part(id: VersionTables.id(account), version: version, isLogged: isLogged)
    }

    private func part(_ account: Account?) -> Part {
        guard let part = parts[account] else { preconditionFailure("no version was drawn for an account") }
        return part
    }

    mutating func write(_ change: EntityChange) throws {
        switch change {
        case .put(let row): try put(row)
        case .remove(let key): try remove(key)
        }
    }

    private mutating func put(_ row: EntityRow) throws {
        var scope = try scope(row.key)
        // Names come before the row: `add` gives a null to each row of the scope that exists by
        // then.
        for name in row.fields.keys where scope.names[name] == nil {
            scope.names[name] = try add(name, to: scope.id)
        }
        scopes[row.key.scope] = scope
        let known = try tables.id(scope.id, row.key.id)
        let part = part(row.key.account)
        let id = try known ?? insert(row, scope.id, at: part.version)
        if known != nil {
            try update(row, id, at: part.version)
        } else if part.isLogged {
            // A key has a row or a tombstone, never both.
            try versions.removeTombstone(scope.id, row.key.id)
        }
        if part.isLogged {
            try versions.log(scope.id, row.key.id, of: part.id, at: part.version, isRemoval: false)
        }
        reached(.rowWritten)
        // A new row has no fields yet, and a known one has each name of its scope.
        let old = known == nil ? [:] : try tables.values(id)
        for (text, name) in scope.names {
            let value = row.fields[text] ?? .null
            switch old[name] {
            // Most puts change few fields, and each change rewrites two index entries.
            case value: continue
            case let before?: try replace(before, with: value, name, row.key.id)
            case nil: try insert(value, name, row.key.id, id)
            }
            // The full-text table is written in the same transaction, so no search finds an old
            // text.
            if scope.indexed.contains(name) { try words.replace(old[name], with: value, of: id, name) }
        }
        reached(.fieldsWritten)
    }

    private mutating func remove(_ key: EntityKey) throws {
        let part = part(key.account)
        let scope = try scope(key)
        scopes[key.scope] = scope
        if let id = try tables.id(scope.id, key.id) {
            // No trigger or foreign key cleans the tables that refer to the row.
            try db.run("DELETE FROM entity WHERE id = ?") { try $0.bind(id, at: 1) }
            reached(.rowWritten)
            try db.run("DELETE FROM field WHERE entity = ?") { try $0.bind(id, at: 1) }
            for name in scope.indexed { try words.remove(id, name) }
            reached(.fieldsWritten)
        }
        // A commit that is too large for the log raised the floor, which stands for its tombstones.
        guard part.isLogged else { return }
        // A key without a row gets one too: an expectation of an older version must be refused.
        try versions.addTombstone(scope.id, key.id, at: part.version)
        try versions.log(scope.id, key.id, of: part.id, at: part.version, isRemoval: true)
    }

    // MARK: Scopes and names

    private func scope(_ key: EntityKey) throws -> Scope {
        // Cached for this commit alone. Another process may change names between two transactions.
        if let known = scopes[key.scope] { return known }
        guard let id = try tables.scope(key.account, key.kind) else {
            return Scope(id: try makeScope(key), names: [:], indexed: [])
        }
        let names = try tables.names(id)
        return Scope(id: id, names: names, indexed: try words.indexed().intersection(names.values))
    }

    private func makeScope(_ key: EntityKey) throws -> Int64 {
        try db.run("INSERT INTO scope (account, kind) VALUES (?, ?)") { row in
            try row.bind(RowKey.account(key.account), at: 1)
            try row.bind(key.kind, at: 2)
        }
        return db.lastInsertedRowID
    }

    /// Adds a field name, with a null for every existing entity of the scope.
    private func add(_ name: String, to scope: Int64) throws -> Int64 {
        try db.run("INSERT INTO name (scope, name) VALUES (?, ?)") { row in
            try row.bind(scope, at: 1)
            try row.bind(name, at: 2)
        }
        let id = db.lastInsertedRowID
        // In the order of the primary key's last column, so the pages are filled one after the
        // other.
        let sql = """
            INSERT INTO field (name, rank, value, key, entity) SELECT ?, 0, x'', key, id FROM entity WHERE scope = ? ORDER BY key
            """
        try db.run(sql) { row in
            try row.bind(id, at: 1)
            try row.bind(scope, at: 2)
        }
        return id
    }

    // MARK: Rows

    private func insert(_ row: EntityRow, _ scope: Int64, at version: StoreVersion) throws -> Int64 {
        let sql = """
            INSERT INTO entity (scope, key, schema, as_of, bytes, stale_at, validator, version, basis) \
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.run(sql) { statement in
            try statement.bind(scope, at: 1)
            try statement.bind(row.key.id, at: 2)
            try statement.bind(Int64(row.schema), at: 3)
            try statement.bind(row.asOf.nanoseconds, at: 4)
            try statement.bind(row.bytes, at: 5)
            try statement.bind(row.staleAt?.nanoseconds, at: 6)
            try statement.bind(row.validator, at: 7)
            try statement.bind(version.number, at: 8)
            try statement.bind(row.basis?.number, at: 9)
        }
        return db.lastInsertedRowID
    }

    private func update(_ row: EntityRow, _ id: Int64, at version: StoreVersion) throws {
        let sql = """
            UPDATE entity SET schema = ?, as_of = ?, bytes = ?, stale_at = ?, validator = ?, version = ?, basis = ? \
            WHERE id = ?
            """
        try db.run(sql) { statement in
            try statement.bind(Int64(row.schema), at: 1)
            try statement.bind(row.asOf.nanoseconds, at: 2)
            try statement.bind(row.bytes, at: 3)
            try statement.bind(row.staleAt?.nanoseconds, at: 4)
            try statement.bind(row.validator, at: 5)
            try statement.bind(version.number, at: 6)
            try statement.bind(row.basis?.number, at: 7)
            try statement.bind(id, at: 8)
        }
    }

    private func insert(_ value: FieldValue, _ name: Int64, _ key: String, _ entity: Int64) throws {
        try db.run("INSERT INTO field (name, rank, value, key, entity) VALUES (?, ?, ?, ?, ?)") { row in
            try row.bind(name, at: 1)
            try row.bind(FieldColumn.rank(value), at: 2)
            try FieldColumn.bind(value, to: row, at: 3)
            try row.bind(key, at: 4)
            try row.bind(entity, at: 5)
        }
    }

    private func replace(_ old: FieldValue, with value: FieldValue, _ name: Int64, _ key: String) throws {
        // The old value is part of the primary key, so the row is found without the second index.
        let sql = "UPDATE field SET rank = ?, value = ? WHERE name = ? AND rank = ? AND value = ? AND key = ?"
        try db.run(sql) { row in
            try row.bind(FieldColumn.rank(value), at: 1)
            try FieldColumn.bind(value, to: row, at: 2)
            try row.bind(name, at: 3)
            try row.bind(FieldColumn.rank(old), at: 4)
            try FieldColumn.bind(old, to: row, at: 5)
            try row.bind(key, at: 6)
        }
    }
}
#endif
