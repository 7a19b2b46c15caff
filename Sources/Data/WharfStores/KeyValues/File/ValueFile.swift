internal import WharfCore

/// The content of a value's file.
///
/// It is `wharfkv` and the version 1, the length of the name in four bytes, the name, and the
/// value. The XXH64 of all that follows in eight bytes. Numbers are little-endian.
struct ValueFile {
    private static let signature = Array("wharfkv".utf8)
    private static let version: UInt8 = 1
    private static let nameStart = 12
    private static let checksumLength = 8

    let name: String
    let value: ArraySlice<UInt8>

    static func encoded(_ name: String, _ value: [UInt8]) -> [UInt8] {
        var bytes = signature + [version]
        bytes.reserveCapacity(nameStart + name.utf8.count + value.count + checksumLength)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: name.utf8.count).littleEndian) { bytes += $0 }
        bytes += name.utf8
        bytes += value
        withUnsafeBytes(of: XXH64.hash(bytes).littleEndian) { bytes += $0 }
        return bytes
    }

    /// - Parameter path: the file's path, for the error message.
    init(_ bytes: [UInt8], path: String) throws(StoreError) {
        // A foreign file must not be read as a value.
        guard bytes.starts(with: Self.signature), bytes.count >= Self.nameStart + Self.checksumLength else {
            throw Self.corrupt(path, "\(bytes.count) bytes that are not a value")
        }
        // Before the checksum, whose place may differ in another version.
        guard bytes[7] == Self.version else {
            throw StoreError(
                .undecodable,
                message: "the value at \(path) has version \(bytes[7]), made by a newer Wharf, and this Wharf reads "
                    + "version \(Self.version); it stays as it is")
        }
        let end = bytes.count - Self.checksumLength
        let found = bytes.withUnsafeBytes { bytes in
            (
                checksum: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt64.self)),
                hash: XXH64.hash(UnsafeRawBufferPointer(rebasing: bytes[..<end])),
                nameLength: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
            )
        }
        // The name is interpreted only after the checksum is verified.
        guard found.checksum == found.hash else {
            throw Self.corrupt(path, "\(bytes.count) bytes with a wrong checksum")
        }
        let nameEnd = Self.nameStart + Int(found.nameLength)
        guard nameEnd <= end, let name = String(validating: bytes[Self.nameStart..<nameEnd], as: UTF8.self) else {
            throw Self.corrupt(path, "an invalid name")
        }
        self.name = name
        value = bytes[nameEnd..<end]
    }

    static func corrupt(_ path: String, _ found: String) -> StoreError {
        StoreError(
            .corrupt,
            message: "could not read a value from \(path): found \(found); set or remove its name, or put the file back"
        )
    }
}
