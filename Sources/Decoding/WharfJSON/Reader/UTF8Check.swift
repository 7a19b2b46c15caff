/// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
enum UTF8Check {
    /// Returns the first byte of an invalid sequence; nil if all bytes are valid.
    ///
    /// Reads no byte at or beyond `stop`.
    static func firstInvalid(_ start: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var q = start
        while q < stop {
            let lead = q.pointee
            if lead < 0x80 {
                // `stop - q >= 8`, so the word lies inside.
                while stop - q >= 8,
                    UnsafeRawPointer(q).loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                { q += 8 }
                while q < stop, q.pointee < 0x80 { q += 1 }
                continue
            }
            guard let length = sequence(q, lead, stop - q) else { return q }
            q += length
        }
        return nil
    }

    @inline(__always) private static func sequence(_ q: UnsafePointer<UInt8>, _ lead: UInt8, _ left: Int) -> Int? {
        switch lead {
        case 0xE1...0xEC, 0xEE, 0xEF:
            guard left >= 3, isTail(q[1]), isTail(q[2]) else { return nil }
            return 3
        // 0xC0 and 0xC1 would be overlong forms of ASCII, so they begin nothing.
        case 0xC2...0xDF:
            guard left >= 2, isTail(q[1]) else { return nil }
            return 2
        // Below 0xA0 the form is overlong: two bytes would do.
        case 0xE0:
            guard left >= 3, q[1] & 0xE0 == 0xA0, isTail(q[2]) else { return nil }
            return 3
        // From 0xA0 on these are the surrogates, U+D800 to U+DFFF.
        case 0xED:
            guard left >= 3, q[1] & 0xE0 == 0x80, isTail(q[2]) else { return nil }
            return 3
        case 0xF0...0xF4:
            guard left >= 4, isTail(q[1]), isTail(q[2]), isTail(q[3]) else { return nil }
            // Overlong below U+10000.
            if lead == 0xF0, q[1] < 0x90 { return nil }
            // Beyond U+10FFFF.
            if lead == 0xF4, q[1] > 0x8F { return nil }
            return 4
        default:
            return nil
        }
    }

    @inline(__always) private static func isTail(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
