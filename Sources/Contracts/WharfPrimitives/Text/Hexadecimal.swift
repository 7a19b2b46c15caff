/// Bytes and numbers as hexadecimal digits.
package enum Hexadecimal {
    /// Returns two digits per byte.
    package static func text(_ bytes: some Sequence<UInt8>, isUppercase: Bool = false) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            digits.append(digit(byte >> 4, isUppercase: isUppercase))
            digits.append(digit(byte & 0xF, isUppercase: isUppercase))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns sixteen digits with leading zeros, which sort as their numbers do.
    package static func text(_ number: UInt64) -> String {
        withUnsafeBytes(of: number.bigEndian) { text($0) }
    }

    /// Returns the digit of a value below 16.
    @inlinable package static func digit(_ value: UInt8, isUppercase: Bool = false) -> UInt8 {
        value < 10 ? value + 0x30 : value + (isUppercase ? 0x37 : 0x57)
    }

    /// Returns the value of a digit in either case; nil for another octet.
    @inlinable package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 0x30
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - 0x37
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 0x57
        default: nil
        }
    }

    /// Returns the byte of exactly two digits; nil for other octets.
    @inlinable package static func byte(_ digits: some Collection<UInt8>) -> UInt8? {
        // At the end of a text `prefix(2)` has fewer digits, and "%5" is no escape.
        guard digits.count == 2, let first = digits.first, let high = value(of: first),
            let low = digits.dropFirst().first.flatMap(value(of:))
        else { return nil }
        return high << 4 | low
    }

    /// Returns the bytes of pairs of digits; nil for an odd count or other octets.
    package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = Self.byte(rest.prefix(2)) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
