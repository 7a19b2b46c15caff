internal import WharfCore

/// The encoded version and floor of an account.
///
/// It is written if rows and tombstones no longer determine both.
enum AccountBytes {
    private static let form: UInt8 = 1

    static func encoded(version: StoreVersion, floor: StoreVersion) -> [UInt8] {
        var writer = ByteWriter(version: form)
        writer.put(version.number)
        writer.put(floor.number)
        return writer.bytes
    }

    /// Returns nil for bytes in another format.
    static func decoded(_ bytes: [UInt8]) -> (version: StoreVersion, floor: StoreVersion)? {
        guard var reader = ByteReader(bytes, version: form), let version = reader.word(), let floor = reader.word(),
            reader.isAtEnd
        else { return nil }
        return (StoreVersion(version), StoreVersion(floor))
    }
}
