#if SQLite
internal import WharfCore

/// The ids that an entry is owed, by the temporary ones, encoded in a column.
enum OwedColumn {
    static func bytes(_ ids: [String: String]) -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        writer.put(count: ids.count)
        for (temporary, id) in ids.sorted(by: { $0.key < $1.key }) {
            writer.put(counted: temporary.utf8)
            writer.put(counted: id.utf8)
        }
        return writer.bytes
    }

    /// Returns an empty dictionary for SQL's null.
    static func read(_ row: Query, _ column: Int32) throws -> [String: String] {
        guard let bytes = try row.optionalBlob(column) else { return [:] }
        // Sending with temporary ids would be worse than an error.
        guard let ids = bytes.withUnsafeBytes(ids) else {
            throw StoreError(.corrupt, message: "the ids that an entry lacks are damaged")
        }
        return ids
    }

    private static func ids(_ bytes: UnsafeRawBufferPointer) -> [String: String]? {
        var reader = ByteReader(bytes)
        guard let count = reader.count() else { return nil }
        var ids: [String: String] = [:]
        for _ in 0..<count {
            guard let temporary = reader.text(), let id = reader.text() else { return nil }
            ids[temporary] = id
        }
        return ids
    }
}
#endif
