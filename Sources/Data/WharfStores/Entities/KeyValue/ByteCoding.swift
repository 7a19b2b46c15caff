/// Appends numbers and length-prefixed bytes to an array.
struct ByteWriter {
    private(set) var bytes: [UInt8]

    init(version: UInt8) { bytes = [version] }

    mutating func put(_ byte: UInt8) { bytes.append(byte) }

    /// Appends eight bytes, little-endian.
    mutating func put(_ word: Int64) { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }

    mutating func put(counted content: some Collection<UInt8>) {
        put(Int64(content.count))
        bytes += content
    }
}

/// Reads the format of ``ByteWriter``.
///
/// Malformed input gives nil and never traps, as the bytes are untrusted.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    /// Returns nil for another version.
    init?(_ bytes: [UInt8], version: UInt8) {
        guard bytes.first == version else { return nil }
        rest = bytes.dropFirst()
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func word() -> Int64? {
        guard let bytes = take(8) else { return nil }
        // Little-endian, like `put`.
        return Int64(bitPattern: bytes.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    mutating func counted() -> ArraySlice<UInt8>? {
        // The count comes from the store. It is compared before it becomes a length.
        guard let count = word(), count >= 0, count <= rest.count else { return nil }
        return take(Int(count))
    }

    mutating func text() -> String? { counted().flatMap { String(validating: $0, as: UTF8.self) } }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
