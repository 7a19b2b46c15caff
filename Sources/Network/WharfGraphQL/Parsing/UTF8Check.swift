/// A check for UTF-8 (RFC 3629): no overlong forms, no surrogates, no scalar above U+10FFFF.
enum UTF8Check {
    /// Returns the index of the first invalid sequence; nil if all are valid.
    static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let words = UnsafeRawBufferPointer(bytes)
        var index = 0
        while index < bytes.count {
            if bytes[index] < 0x80 {
                // Eight bytes at a time: most documents are ASCII.
                while index + 8 <= bytes.count,
                    words.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                { index += 8 }
                while index < bytes.count, bytes[index] < 0x80 { index += 1 }
                continue
            }
            guard let length = sequence(bytes, index) else { return index }
            index += length
        }
        return nil
    }

    /// Returns the length of the sequence at `index`; nil if it is invalid.
    private static func sequence(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int? {
        let length: Int
        // The allowed second bytes, which some first bytes restrict further.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[index] {
        case 0xC2...0xDF: length = 2
        // E0 with a lower second byte is an overlong form.
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        // ED with a higher one is a surrogate.
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        // F0 with a lower one is an overlong form.
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        // F4 with a higher one is above U+10FFFF.
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return nil
        }
        // The length is checked before the tail is read.
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return nil }
        for tail in index + 2..<index + length where bytes[tail] & 0xC0 != 0x80 { return nil }
        return length
    }
}
