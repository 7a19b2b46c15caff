extension TapeScanner {
    /// Scans a string; the cursor is at its opening quote.
    @inline(__always) mutating func string() -> Bool {
        let start = p + 1
        var q = start
        var high: UInt64 = 0
        JSONReader.skipPlain(&q, &high)
        // `high` collects the bytes that were skipped. No top bit means ASCII only.
        guard _fastPath(q.pointee == 0x22), _fastPath(high & 0x8080_8080_8080_8080 == 0) else {
            return stringWithMore(start)
        }
        tape.append(
            TapeNode(
                start: UInt32(truncatingIfNeeded: start - base), end: UInt32(truncatingIfNeeded: q - base),
                kind: .string))
        p = q + 1
        return true
    }

    /// Scans a string with escapes or characters beyond ASCII.
    @inline(never) private mutating func stringWithMore(_ start: UnsafePointer<UInt8>) -> Bool {
        var q = start
        var run = start
        var flags: TapeNode.Flags = []
        while true {
            var high: UInt64 = 0
            JSONReader.skipPlain(&q, &high)
            if high & 0x8080_8080_8080_8080 != 0 {
                // Checked for each run between two escapes: an escape must not stand inside of a
                // character.
                guard UTF8Check.firstInvalid(run, q) == nil else { return false }
                flags.insert(.beyondASCII)
            }
            if q.pointee == 0x22 { break }
            guard let length = Self.escapeLength(q) else { return false }
            q += length
            run = q
            flags.insert(.escaped)
        }
        tape.append(
            TapeNode(
                start: UInt32(truncatingIfNeeded: start - base), end: UInt32(truncatingIfNeeded: q - base),
                kind: .string,
                flags: flags))
        p = q + 1
        return true
    }

    /// Returns the length of the escape at `q`; nil if there is none or it is wrong.
    ///
    /// RFC 8259 §7; surrogates must come in pairs.
    private static func escapeLength(_ q: UnsafePointer<UInt8>) -> Int? {
        guard q.pointee == 0x5C else { return nil }
        switch q[1] {
        case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return 2
        case 0x75:
            guard let unit = StringEscape.fourHexDigits(q + 2) else { return nil }
            if unit & 0xF800 != 0xD800 { return 6 }
            // A low surrogate first, or a high one without its partner, is no character (RFC 8259
            // §8.2).
            guard unit < 0xDC00, q[6] == 0x5C, q[7] == 0x75, let low = StringEscape.fourHexDigits(q + 8),
                low & 0xFC00 == 0xDC00
            else { return nil }
            return 12
        default: return nil
        }
    }

    /// Scans a number by the grammar of RFC 8259 §6.
    @inline(__always) mutating func number() -> Bool {
        var q = p
        var flags: TapeNode.Flags = []
        if q.pointee == 0x2D { q += 1 }
        // A zero takes no further digits: `01` is no number.
        if q.pointee == 0x30 { q += 1 } else if !Self.skipDigits(&q) { return false }
        if q.pointee == 0x2E {
            q += 1
            guard Self.skipDigits(&q) else { return false }
            flags = .fractional
        }
        if q.pointee | 0x20 == 0x65 {
            q += 1
            if q.pointee == 0x2B || q.pointee == 0x2D { q += 1 }
            guard Self.skipDigits(&q) else { return false }
            flags = .fractional
        }
        let start = offset
        p = q
        tape.append(TapeNode(start: start, end: offset, kind: .number, flags: flags))
        return true
    }

    @inline(__always) private static func skipDigits(_ q: inout UnsafePointer<UInt8>) -> Bool {
        guard q.pointee &- 0x30 <= 9 else { return false }
        repeat { q += 1 } while q.pointee &- 0x30 <= 9
        return true
    }
}

/// Resolves the escapes of a string that the scanner has checked.
enum StringEscape {
    static func fourHexDigits(_ q: UnsafePointer<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        // Stops at the first byte that is not a digit, so it never reads past the padding.
        for index in 0..<4 {
            let byte = q[index]
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: return nil
            }
        }
        return value
    }

    /// - Parameter start: `count` bytes of a checked string without its quotes. The resolved text
    ///   is never longer.
    static func text(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { target in
            var length = 0
            func put(_ byte: UInt8) {
                // Each escape is at least as long as the UTF-8 of its character, so
                // `length < count`.
                target[length] = byte
                length += 1
            }
            var q = start
            let stop = start + count
            while q < stop {
                guard q.pointee == 0x5C else {
                    put(q.pointee)
                    q += 1
                    continue
                }
                switch q[1] {
                case 0x62: put(0x08)
                case 0x66: put(0x0C)
                case 0x6E: put(0x0A)
                case 0x72: put(0x0D)
                case 0x74: put(0x09)
                case 0x75:
                    var unit = fourHexDigits(q + 2) ?? 0xFFFD
                    // A pair: the second escape follows at once, as the scanner has checked.
                    if unit & 0xFC00 == 0xD800 {
                        unit = 0x10000 + ((unit & 0x3FF) << 10) + ((fourHexDigits(q + 8) ?? 0) & 0x3FF)
                        q += 6
                    }
                    q += 4
                    for byte in String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8 { put(byte) }
                default: put(q[1])
                }
                q += 2
            }
            return length
        }
    }
}
