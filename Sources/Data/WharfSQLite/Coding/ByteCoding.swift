/// Appends numbers and length-prefixed bytes to an array.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func put(_ byte: UInt8) { bytes.append(byte) }

    mutating func put(_ word: UInt64) {
        // Little-endian on every platform, because the file may move.
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word &>> shift)) }
    }

    /// Appends a variable-length number: seven bits a byte, the lowest first.
    mutating func put(count: Int) {
        var rest = UInt64(count)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func put(counted content: some Collection<UInt8>) {
        put(count: content.count)
        bytes.append(contentsOf: content)
    }
}

/// Reads the format of ``ByteWriter``.
///
/// Malformed input gives nil and never traps, as the bytes may be damaged.
struct ByteReader {
    // Points into memory that SQLite owns while the row is current. A reader never outlives the
    // closure in which it is created.
    private var rest: UnsafeRawBufferPointer.SubSequence

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func word() -> UInt64? {
        guard let bytes = take(8) else { return nil }
        return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    mutating func count() -> Int? {
        var value: UInt64 = 0
        // Nine groups of seven bits give at most 63 bits, so the value fits `Int`. A tenth byte
        // means damage.
        for shift in stride(from: UInt64(0), to: 63, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return Int(value) }
        }
        return nil
    }

    mutating func counted() -> UnsafeRawBufferPointer? {
        guard let count = count() else { return nil }
        return take(count)
    }

    mutating func text() -> String? {
        guard let bytes = counted() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        // The count comes from the file. Without this check a damaged one would read beyond the
        // blob.
        guard count <= rest.count else { return nil }
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return UnsafeRawBufferPointer(rebasing: taken)
    }
}
