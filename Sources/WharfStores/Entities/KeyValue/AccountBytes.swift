internal import WharfCore

/// The version and the floor of an account, as the value of its name: written when both can't be
/// found out from rows and tombstones.
enum AccountBytes {
    private static let form: UInt8 = 1

    static func encoded(version: StoreVersion, floor: StoreVersion) -> [UInt8] {
        var writer = ByteWriter(version: form)
        writer.put(version.number)
        writer.put(floor.number)
        return writer.bytes
    }

    /// Nil for what was written by something else.
    static func decoded(_ bytes: [UInt8]) -> (version: StoreVersion, floor: StoreVersion)? {
        guard var reader = ByteReader(bytes, version: form), let version = reader.word(), let floor = reader.word(),
            reader.isAtEnd
        else { return nil }
        return (StoreVersion(version), StoreVersion(floor))
    }
}
