#if SQLite
internal import WharfCore

/// A failure, encoded in a column.
enum FailureColumn {
    static func bytes(_ failure: DeliveryFailure) -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        writer.put(counted: failure.code.name.utf8)
        writer.put(counted: failure.message.utf8)
        // The status comes last and is optional, so its absence is the end of the bytes.
        if let status = failure.status { writer.put(UInt64(bitPattern: Int64(status))) }
        return writer.bytes
    }

    /// Returns nil for SQL's null, and for damaged bytes.
    static func read(_ row: Query, _ column: Int32) throws -> DeliveryFailure? { try row.withBlob(column, read) }

    static func failure(_ bytes: [UInt8]) -> DeliveryFailure? { bytes.withUnsafeBytes(read) }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> DeliveryFailure? {
        if bytes.isEmpty { return nil }
        var reader = ByteReader(bytes)
        guard let code = reader.text(), let message = reader.text() else { return nil }
        let status = reader.word().map { Int(Int64(bitPattern: $0)) }
        return DeliveryFailure(.init(code), message: message, status: status)
    }
}
#endif
