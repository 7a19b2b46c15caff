#if SQLite
internal import GRDB
internal import GRDBSQLite

/// A statement in hand, by SQLite's own calls: GRDB's values would take each blob through
/// Foundation's `Data`.
///
/// Valid inside ``GRDB/Database/query(_:_:)`` only.
struct Query {
    private let handle: OpaquePointer
    private let connection: OpaquePointer?
    private let sql: String

    /// A statement that whoever made it keeps.
    init(_ statement: Statement, _ db: Database, _ sql: String) {
        handle = statement.sqliteStatement
        connection = db.sqliteConnection
        self.sql = sql
    }

    // SQLITE_TRANSIENT, a macro with a cast that is not imported: SQLite copies the bytes before
    // the call returns, so pointers that are valid for the call only are right.
    private static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    func bind(_ value: Int64, at index: Int32) throws {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ value: Double, at index: Int32) throws {
        try check(sqlite3_bind_double(handle, index, value))
    }

    func bind(_ value: String, at index: Int32) throws {
        var value = value
        try value.withUTF8 { try bind(text: $0, at: index) }
    }

    /// A bound that is above every text which begins with this one, and below all others that are
    /// above it: no byte of UTF-8 is 0xFF. As text of any bytes, because SQLite compares a blob
    /// otherwise.
    func bind(beyond prefix: String, at index: Int32) throws {
        try (Array(prefix.utf8) + [0xFF]).withUnsafeBufferPointer { try bind(text: $0, at: index) }
    }

    // The pointer is used within the call only: SQLite copies what it is bound to.
    private func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
        let code = text.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text(handle, index, $0.baseAddress, Int32(clamping: $0.count), Self.copied)
        }
        try check(code)
    }

    func bind(_ value: [UInt8], at index: Int32) throws {
        let code = value.withUnsafeBytes { bytes in
            // A nil pointer would bind NULL.
            guard let base = bytes.baseAddress, !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), Self.copied)
        }
        try check(code)
    }

    /// nil for SQL's null.
    func bind(_ value: Int64?, at index: Int32) throws {
        if let value { try bind(value, at: index) } else { try check(sqlite3_bind_null(handle, index)) }
    }

    /// nil for SQL's null.
    func bind(_ value: String?, at index: Int32) throws {
        if let value { try bind(value, at: index) } else { try check(sqlite3_bind_null(handle, index)) }
    }

    /// nil for SQL's null.
    func bind(_ value: [UInt8]?, at index: Int32) throws {
        if let value { try bind(value, at: index) } else { try check(sqlite3_bind_null(handle, index)) }
    }

    /// Goes to the next row; false when there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// SQLite's storage class (`SQLITE_INTEGER`, …).
    func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// nil for SQL's null.
    func optionalInteger(_ column: Int32) -> Int64? { type(column) == SQLITE_NULL ? nil : integer(column) }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: byteCount(column)), as: UTF8.self)
    }

    /// nil for SQL's null.
    func optionalText(_ column: Int32) -> String? { type(column) == SQLITE_NULL ? nil : text(column) }

    /// The bytes stay SQLite's and are valid until the next step, hence the closure.
    func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        let base = sqlite3_column_blob(handle, column)
        if base == nil, sqlite3_errcode(connection) == SQLITE_NOMEM { throw failure(SQLITE_NOMEM) }
        return try body(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : byteCount(column)))
    }

    /// nil for SQL's null.
    func optionalBlob(_ column: Int32) throws -> [UInt8]? {
        type(column) == SQLITE_NULL ? nil : try withBlob(column) { [UInt8]($0) }
    }

    private func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

    fileprivate func reset() {
        // It repeats the error of the last step, which has been thrown.
        _ = sqlite3_reset(handle)
        _ = sqlite3_clear_bindings(handle)
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw failure(code) }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = connection.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
}

extension Database {
    /// Prepares `sql` once per connection, and leaves it reset however `body` ends.
    func query<Result>(_ sql: String, _ body: (Query) throws -> Result) throws -> Result {
        let query = Query(try cachedStatement(sql: sql), self, sql)
        defer { query.reset() }
        return try body(query)
    }

    /// Prepares `sql` for this once: what is put together at run time would fill the cache without
    /// bound.
    func uncachedQuery<Result>(_ sql: String, _ body: (Query) throws -> Result) throws -> Result {
        let statement = try makeStatement(sql: sql)
        return try withExtendedLifetime(statement) { try body(Query(statement, self, sql)) }
    }

    /// Runs a statement of which the rows don't matter.
    func run(_ sql: String, _ bind: (Query) throws -> Void = { _ in }) throws {
        try query(sql) { row in
            try bind(row)
            _ = try row.step()
        }
    }

    /// The first column of the first row.
    func integer(_ sql: String) throws -> Int64? {
        try query(sql) { try $0.step() ? $0.integer(0) : nil }
    }
}
#endif
