internal import WharfCore
internal import WharfPrimitives

/// A row as the value of its name, version 1: schema, time, whether and when it becomes stale, whether it has a validator and that one
/// counted, counted bytes, and the count of its fields, each with its counted name, a byte for its form, and its value.
enum RowBytes {
    private static let version: UInt8 = 1
    private enum Form: UInt8 { case null, integer, real, text }

    static func encoded(_ row: EntityRow) -> [UInt8] {
        var writer = ByteWriter(version: version)
        writer.put(Int64(row.schema))
        writer.put(row.asOf.nanoseconds)
        writer.put(row.staleAt == nil ? 0 : 1 as UInt8)
        writer.put(row.staleAt?.nanoseconds ?? 0)
        writer.put(row.validator == nil ? 0 : 1 as UInt8)
        writer.put(counted: (row.validator ?? "").utf8)
        writer.put(counted: row.bytes)
        writer.put(Int64(row.fields.count))
        for (name, value) in row.fields.sorted(by: { UTF8Key($0.key) < UTF8Key($1.key) }) {
            writer.put(counted: name.utf8)
            put(value, &writer)
        }
        return writer.bytes
    }

    /// Nil for what was not written by this version.
    static func decoded(_ bytes: [UInt8], key: EntityKey) -> EntityRow? {
        guard var reader = ByteReader(bytes, version: version),
            let schema = reader.word(), let asOf = reader.word(), let hasLifetime = reader.byte(),
            let staleAt = reader.word(), let hasValidator = reader.byte(), let validator = reader.text(),
            let content = reader.counted(), let count = reader.word()
        else { return nil }
        var row = EntityRow(
            key: key, schema: Int(truncatingIfNeeded: schema), bytes: Array(content), asOf: WallTime(nanoseconds: asOf),
            staleAt: hasLifetime == 0 ? nil : WallTime(nanoseconds: staleAt),
            validator: hasValidator == 0 ? nil : validator)
        var rest = count
        while rest > 0 {
            guard let name = reader.text(), let value = value(&reader) else { return nil }
            row.fields[name] = value
            rest -= 1
        }
        return reader.isAtEnd ? row : nil
    }

    private static func put(_ value: FieldValue, _ writer: inout ByteWriter) {
        switch value.form {
        case .null:
            writer.put(Form.null.rawValue)
        case .integer(let value):
            writer.put(Form.integer.rawValue)
            writer.put(value)
        case .real(let value):
            writer.put(Form.real.rawValue)
            writer.put(Int64(bitPattern: value.bitPattern))
        case .text(let value):
            writer.put(Form.text.rawValue)
            writer.put(counted: value.utf8)
        }
    }

    private static func value(_ reader: inout ByteReader) -> FieldValue? {
        switch reader.byte().flatMap(Form.init) {
        case .null: .null
        case .integer: reader.word().map { FieldValue($0) }
        case .real: reader.word().map { FieldValue(Double(bitPattern: UInt64(bitPattern: $0))) }
        case .text: reader.text().map { FieldValue($0) }
        case nil: nil
        }
    }
}
