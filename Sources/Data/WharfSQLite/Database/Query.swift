#if SQLite
internal import GRDB
internal import GRDBSQLite

/// A prepared statement, used through SQLite's C API.
///
/// GRDB's values would copy each blob through Foundation's `Data`. It is valid inside
/// ``GRDB/Database/query(_:_:)`` only.
struct Query {
    private let handle: OpaquePointer
    private let connection: OpaquePointer?
    // The statement and its connection belong to GRDB. Both are used on the connection's queue
    // alone.
    private let sql: String

    /// Wraps a statement, which the caller keeps alive.
    init(_ statement: Statement, _ db: Database, _ sql: String) {
        handle = statement.sqliteStatement
        connection = db.sqliteConnection
        self.sql = sql
    }

    // SQLITE_TRANSIENT is a macro with a cast, which is not imported. SQLite copies the bytes
    // before the call returns, so the pointers have to be valid during the call only.
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

    /// Binds an exclusive upper bound for the texts with a prefix.
    ///
    /// No byte of UTF-8 is 0xFF, so every text with the prefix is below the bound, and no other
    /// text lies between. It is bound as text, because SQLite sorts blobs after all texts.
    func bind(beyond prefix: String, at index: Int32) throws {
        try (Array(prefix.utf8) + [0xFF]).withUnsafeBufferPointer { try bind(text: $0, at: index) }
    }

    // The pointer is used within the call only: SQLite copies the bytes.
    private func bind(text: UnsafeBufferPointer<UInt8>, at index: Int32) throws {
        let code = text.withMemoryRebound(to: CChar.self) {
            // A text of 2 GB or more is above SQLite's default limit of 10^9 bytes. So a clamped
            // length is refused, and never truncates.
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

    /// Binds a value; nil binds SQL's null.
    func bind(_ value: Int64?, at index: Int32) throws {
        if let value { try bind(value, at: index) } else { try check(sqlite3_bind_null(handle, index)) }
    }

    /// Binds a value; nil binds SQL's null.
    func bind(_ value: String?, at index: Int32) throws {
        if let value { try bind(value, at: index) } else { try check(sqlite3_bind_null(handle, index)) }
    }

    /// Binds a value; nil binds SQL's null.
    func bind(_ value: [UInt8]?, at index: Int32) throws {
        if let value { try bind(value, at: index) } else { try check(sqlite3_bind_null(handle, index)) }
    }

    /// Steps to the next row; false if there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Returns SQLite's storage class (`SQLITE_INTEGER`, …).
    func type(_ column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// Returns nil for SQL's null.
    func optionalInteger(_ column: Int32) -> Int64? { type(column) == SQLITE_NULL ? nil : integer(column) }

    func text(_ column: Int32) -> String {
        // The text comes first: SQLite converts it to UTF-8, and the length is that of the last
        // conversion.
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: byteCount(column)), as: UTF8.self)
    }

    /// Returns nil for SQL's null.
    func optionalText(_ column: Int32) -> String? { type(column) == SQLITE_NULL ? nil : text(column) }

    /// Calls a function with the bytes of a blob.
    ///
    /// SQLite owns the bytes, and they are valid only until the next step.
    func withBlob<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        let base = sqlite3_column_blob(handle, column)
        // A nil pointer means an empty blob or a lack of memory. Reading the latter as empty would
        // be damage.
        if base == nil, sqlite3_errcode(connection) == SQLITE_NOMEM { throw failure(SQLITE_NOMEM) }
        return try body(UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : byteCount(column)))
    }

    /// Returns nil for SQL's null.
    func optionalBlob(_ column: Int32) throws -> [UInt8]? {
        type(column) == SQLITE_NULL ? nil : try withBlob(column) { [UInt8]($0) }
    }

    private func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

    fileprivate func reset() {
        // The result repeats the error of the last step, which was thrown already.
        _ = sqlite3_reset(handle)
        // Bound values may be large, and a cached statement would keep them.
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
    /// Prepares `sql` once per connection, and resets it even if `body` throws.
    func query<Result>(_ sql: String, _ body: (Query) throws -> Result) throws -> Result {
        let query = Query(try cachedStatement(sql: sql), self, sql)
        // A statement that is not reset would keep its snapshot, and checkpoints could not pass it.
        defer { query.reset() }
        return try body(query)
    }

    /// Prepares `sql` for one use.
    ///
    /// SQL that is composed at run time would fill the statement cache without bound.
    func uncachedQuery<Result>(_ sql: String, _ body: (Query) throws -> Result) throws -> Result {
        let statement = try makeStatement(sql: sql)
        // `Query` has only the pointer. Without this line Swift could release the statement during
        // `body`.
        return try withExtendedLifetime(statement) { try body(Query(statement, self, sql)) }
    }

    /// Runs a statement and ignores its rows.
    func run(_ sql: String, _ bind: (Query) throws -> Void = { _ in }) throws {
        try query(sql) { row in
            try bind(row)
            _ = try row.step()
        }
    }

    /// Returns the first column of the first row.
    func integer(_ sql: String) throws -> Int64? {
        try query(sql) { try $0.step() ? $0.integer(0) : nil }
    }
}
#endif
