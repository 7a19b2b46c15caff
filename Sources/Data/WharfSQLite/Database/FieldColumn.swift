#if SQLite
internal import GRDBSQLite
internal import WharfCore

/// A field's value, encoded in the columns `rank` and `value`.
///
/// SQLite's order of storage classes, numbers and blobs is that of `FieldValue`. The exception is
/// null, which a primary key can't hold: it is rank 0 and an empty blob. Integers and doubles are
/// compared exactly, texts by their bytes.
enum FieldColumn {
    static func rank(_ value: FieldValue) -> Int64 {
        switch value.form {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        }
    }

    static func bind(_ value: FieldValue, to row: Query, at index: Int32) throws {
        switch value.form {
        case .null: try row.bind([], at: index)
        case .integer(let value): try row.bind(value, at: index)
        case .real(let value): try row.bind(value, at: index)
        case .text(let value): try row.bind(value, at: index)
        }
    }

    static func read(_ row: Query, _ column: Int32) -> FieldValue {
        switch row.type(column) {
        case SQLITE_INTEGER: FieldValue(row.integer(column))
        case SQLITE_FLOAT: FieldValue(row.real(column))
        case SQLITE_TEXT: FieldValue(row.text(column))
        default: .null
        }
    }
}
#endif
