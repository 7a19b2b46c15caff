internal import WharfCore

/// A redo log of one commit, as a single value.
///
/// The commit is made once this value is in the store. If it is interrupted after that, the next
/// call finishes it.
struct CommitIntent: Sendable {
    private static let version: UInt8 = 1

    private(set) var writes: [(name: String, value: [UInt8]?)] = []

    init(_ writes: [(name: String, value: [UInt8]?)]) { self.writes = writes }

    /// The later of two changes of one key counts.
    init(_ changes: [EntityChange], at versions: [Account?: StoreVersion], names: EntityNames) {
        var seen: Set<EntityKey> = []
        // From the end: the first write of a name found is the last change.
        for change in changes.reversed() where seen.insert(change.key).inserted {
            let version = versions[change.key.account] ?? .none
            switch change {
            case .put(let row): writes.append((names.of(row.key), RowBytes.encoded(row, at: version)))
            case .remove(let key): writes.append((names.of(key), RowBytes.tombstone(at: version)))
            }
        }
    }

    var encoded: [UInt8] {
        var writer = ByteWriter(version: Self.version)
        writer.put(Int64(writes.count))
        for write in writes {
            writer.put(counted: write.name.utf8)
            writer.put(write.value == nil ? 0 : 1 as UInt8)
            if let value = write.value { writer.put(counted: value) }
        }
        return writer.bytes
    }

    /// Returns nil for bytes in another format or version.
    init?(_ bytes: [UInt8]) {
        // The bytes may be damaged: the loop ends at the first value that is missing.
        guard var reader = ByteReader(bytes, version: Self.version), var rest = reader.word() else { return nil }
        while rest > 0 {
            guard let name = reader.text(), let kind = reader.byte() else { return nil }
            switch kind {
            case 0: writes.append((name, nil))
            case 1:
                guard let value = reader.counted() else { return nil }
                writes.append((name, Array(value)))
            default: return nil
            }
            rest -= 1
        }
        guard reader.isAtEnd else { return nil }
    }
}
