internal import WharfCore
internal import WharfPrimitives

/// The values under the names of entities.
///
/// - A row, form 2: version, basis, schema, time, staleness, counted validator, counted bytes, and
///   the count of its fields. Basis, staleness and validator are optional, each after a flag byte.
///   Each field has its counted name, a byte for its form, and its value.
/// - A row, form 1, from before versions existed: the same without version and basis. It counts as
///   the first commit.
/// - A tombstone, form 3: its version.
enum RowBytes {
    private static let unversioned: UInt8 = 1
    private static let versioned: UInt8 = 2
    private static let removed: UInt8 = 3
    private enum Form: UInt8 { case null, integer, real, text }

    static func tombstone(at version: StoreVersion) -> [UInt8] {
        var writer = ByteWriter(version: removed)
        writer.put(version.number)
        return writer.bytes
    }

    /// The version of a row or tombstone, with its sort; nil for other bytes.
    static func head(_ bytes: [UInt8]) -> (version: StoreVersion, isRemoval: Bool)? {
        switch bytes.first {
        case unversioned: return (StoreVersion(1), false)
        case versioned, removed:
            let isRemoval = bytes[0] == removed
            guard var reader = ByteReader(bytes, version: bytes[0]), let version = reader.word() else { return nil }
            // A tombstone has nothing after its version.
            return isRemoval && !reader.isAtEnd ? nil : (StoreVersion(version), isRemoval)
        default: return nil
        }
    }

    static func encoded(_ row: EntityRow, at version: StoreVersion) -> [UInt8] {
        var writer = ByteWriter(version: versioned)
        writer.put(version.number)
        writer.put(row.basis == nil ? 0 : 1 as UInt8)
        writer.put(row.basis?.number ?? 0)
        writer.put(Int64(row.schema))
        writer.put(row.asOf.nanoseconds)
        writer.put(row.staleAt == nil ? 0 : 1 as UInt8)
        writer.put(row.staleAt?.nanoseconds ?? 0)
        writer.put(row.validator == nil ? 0 : 1 as UInt8)
        writer.put(counted: (row.validator ?? "").utf8)
        writer.put(counted: row.bytes)
        writer.put(Int64(row.fields.count))
        // Sorted, so equal rows have equal bytes.
        for (name, value) in row.fields.sorted(by: { UTF8Key($0.key) < UTF8Key($1.key) }) {
            writer.put(counted: name.utf8)
            put(value, &writer)
        }
        return writer.bytes
    }

    /// The row; `.some(nil)` for a tombstone, and nil for bytes in another format.
    static func decoded(_ bytes: [UInt8], key: EntityKey) -> EntityRow?? {
        guard let (_, isRemoval) = head(bytes), var reader = ByteReader(bytes, version: bytes[0]) else { return nil }
        if isRemoval { return .some(nil) }
        var basis: StoreVersion?
        if bytes[0] == versioned {
            guard reader.word() != nil, let hasBasis = reader.byte(), let number = reader.word() else { return nil }
            if hasBasis != 0 { basis = StoreVersion(number) }
        }
        guard let schema = reader.word(), let asOf = reader.word(), let hasLifetime = reader.byte(),
            let staleAt = reader.word(), let hasValidator = reader.byte(), let validator = reader.text(),
            let content = reader.counted(), let count = reader.word()
        else { return nil }
        var row = EntityRow(
            key: key, schema: Int(truncatingIfNeeded: schema), bytes: Array(content), asOf: WallTime(nanoseconds: asOf),
            staleAt: hasLifetime == 0 ? nil : WallTime(nanoseconds: staleAt))
        row.validator = hasValidator == 0 ? nil : validator
        row.basis = basis
        var rest = count
        while rest > 0 {
            guard let name = reader.text(), let value = value(&reader) else { return nil }
            row.fields[name] = value
            rest -= 1
        }
        return reader.isAtEnd ? .some(row) : nil
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
