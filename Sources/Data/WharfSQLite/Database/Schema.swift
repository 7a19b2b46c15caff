#if SQLite
internal import GRDB
internal import WharfCore

/// The tables of one kind of file, and the migrations to them.
struct Schema: Sendable {
    /// The name of such a file in messages: "a cache".
    let noun: String
    /// SQLite's `application_id`, which tells Wharf's files from other databases.
    let applicationID: Int64
    /// The tables, indexes and triggers of the newest version.
    ///
    /// They are by name, with the SQL text that SQLite keeps.
    let objects: [String: String]
    /// Step n migrates a file from version n to version n + 1.
    let steps: [[String]]
    /// The part of the migrations that SQL can't express.
    ///
    /// It is called after the steps, with the version that was found.
    var fill: (@Sendable (Database, _ found: Int) throws -> Void)?
    /// Creates a new file of the newest version; nil to run all steps instead.
    var whole: [String]?
    /// Counts rows that every valid file has, such as a row that is always there.
    let census: (sql: String, count: Int64)?

    var version: Int64 { Int64(steps.count) }

    /// The owner of a file, by its header.
    enum Owner {
        case ours(version: Int64)
        case nobody
    }

    /// Determines the owner of a file without writing.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` when the file belongs to a newer version or to
    ///   another program. It must stay as it is, because an older and a newer app may share it, and
    ///   another program's data is not ours to move.
    func owner(_ db: Database, path: String) throws -> Owner {
        // Both numbers are in the header. Reading them needs no table, so a damaged schema does not
        // hide the owner.
        let id = try db.integer("PRAGMA application_id") ?? 0
        let found = try db.integer("PRAGMA user_version") ?? 0
        if id == applicationID {
            guard found <= version else {
                throw StoreError(
                    .unavailable,
                    message: "could not open \(noun) of version \(version) at \(path): the file has version \(found), "
                        + "made by a newer Wharf; it is left as it is: update this app, or give it a file of its own"
                )
            }
            return .ours(version: found)
        }
        // A file without tables and numbers was made by SQLite or by `makePrivateFile`, and has no
        // content to lose.
        guard id == 0, found == 0, try db.integer("SELECT count(*) FROM sqlite_master") == 0 else {
            throw StoreError(
                .unavailable,
                message:
                    "could not open \(noun) at \(path): the file is another database; it is left as it is: choose "
                    + "another path"
            )
        }
        return .nobody
    }

    /// Creates the tables in a new file, migrates an old one, and checks them in both.
    ///
    /// - Parameter check: called between two statements of a migration; an error undoes it.
    /// - Throws: ``StoreError/Code/corrupt`` when the file is ours but its tables differ.
    func prepare(
        _ db: Database, path: String, check: () throws(StoreError) -> Void = { () throws(StoreError) in }
    ) throws {
        // One transaction: a partly created file would have no owner.
        try db.inTransaction(.immediate) {
            switch try owner(db, path: path) {
            case .nobody: try migrate(db, from: 0, check)
            case .ours(let found) where found > 0: try migrate(db, from: Int(found), check)
            // Version 0 with our id: the header is damaged, as both numbers are set in one
            // transaction.
            case .ours(let found): throw differs("version \(found)", path)
            }
            return .commit
        }
        // After the commit. The check reads only, and a migrated file stays migrated if it fails.
        try checkTables(db, path: path)
    }

    /// Checks that the file has this version and unchanged tables.
    ///
    /// - Throws: ``StoreError/Code/unavailable`` if it has another version or is empty;
    ///   ``StoreError/Code/corrupt`` if its tables differ.
    func verify(_ db: Database, path: String) throws {
        switch try owner(db, path: path) {
        case .ours(version): try checkTables(db, path: path)
        case .ours(let found):
            throw StoreError(
                .unavailable,
                message: "could not open \(noun) of version \(version) at \(path): the file has version \(found), made "
                    + "by an older Wharf; it is left as it is: the app migrates it when it opens it")
        case .nobody:
            throw StoreError(
                .unavailable,
                message: "could not open \(noun) at \(path): the file is empty; it is left as it is: check the path")
        }
    }

    private func migrate(_ db: Database, from found: Int, _ check: () throws(StoreError) -> Void) throws {
        guard found < steps.count else { return }
        // A new file is created as a whole if possible. The steps would give its tables other root
        // pages.
        let statements = found == 0 ? whole : nil
        for statement in statements ?? steps[found...].flatMap(\.self) {
            try check()
            try db.execute(sql: statement)
        }
        try fill?(db, found)
        try check()
        // Both numbers are part of the transaction. A kill leaves an old file with its old number.
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    private func checkTables(_ db: Database, path: String) throws {
        var missing = objects
        try db.query("SELECT name, sql FROM sqlite_master") { row in
            while try row.step() {
                // SQLite keeps the text of each statement, so a table that was altered differs
                // here.
                if missing[row.text(0)] == row.text(1) { missing[row.text(0)] = nil }
            }
        }
        guard missing.isEmpty else { throw differs(missing.keys.sorted().joined(separator: ", ") + " differ", path) }
        guard let census else { return }
        let count = try db.integer(census.sql)
        guard count == census.count else { throw differs("\(count ?? 0) by \(census.sql)", path) }
    }

    private func differs(_ found: String, _ path: String) -> StoreError {
        StoreError(
            .corrupt, message: "the tables of \(noun) of version \(version) at \(path) are damaged: \(found)")
    }
}
#endif
