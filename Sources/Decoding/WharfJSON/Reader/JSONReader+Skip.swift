extension JSONReader {
    /// Skips one value, and checks it as strictly as reading does.
    ///
    /// It checks grammar, escapes, UTF-8 and depth. It takes linear time and, for up to 64 levels,
    /// no memory.
    @inline(never) public mutating func skipValue() {
        // A stack with one bit per open level: set for an object. Full words are moved to `aside`.
        var kinds: UInt64 = 0
        var aside: [UInt64] = []
        var open = 0
        while true {
            switch p.pointee {
            case 0x22: skipString()
            case 0x7B, 0x5B:
                let isObject = p.pointee == 0x7B
                guard enter() else { return }
                // An empty array or object is a whole value, and opens no level.
                if p.pointee == (isObject ? 0x7D : 0x5D) {
                    leave()
                } else {
                    // The word is full: 64 levels are in it. It returns when the 65th level closes.
                    if open > 0, open & 63 == 0 { aside.append(kinds) }
                    kinds = kinds << 1 | (isObject ? 1 : 0)
                    open += 1
                    if isObject, !skipKey("a key or '}'") { return }
                    continue
                }
            case 0x2D, 0x30...0x39: skipNumber()
            case 0x74 where halfWord() == 0x6575_7274, 0x6E where halfWord() == 0x6C6C_756E: p += 4
            case 0x66 where halfWord() == 0x736C_6166 && p[4] == 0x65: p += 5
            default: return noteSyntax("a value")
            }
            // After a value: handles the separator and the levels that it closes.
            while true {
                if open == 0 || notes.isFatal { return }
                let isObject = kinds & 1 == 1
                skipWhitespace()
                if p.pointee == 0x2C {
                    p += 1
                    skipWhitespace()
                    if isObject, !skipKey("a key after ','") { return }
                    break
                }
                guard p.pointee == (isObject ? 0x7D : 0x5D) else {
                    return noteSyntax(isObject ? "',' or '}'" : "',' or ']'")
                }
                leave()
                open -= 1
                kinds >>= 1
                if open > 0, open & 63 == 0, let last = aside.popLast() { kinds = last }
            }
        }
    }

    @inline(__always) private mutating func skipKey(_ expected: StaticString) -> Bool {
        guard p.pointee == 0x22 else {
            noteSyntax(expected)
            return false
        }
        skipString()
        return colon()
    }

    /// Skips a number by the grammar of RFC 8259 §6.
    mutating func skipNumber() {
        var q = p
        if q.pointee == 0x2D { q += 1 }
        if q.pointee == 0x30 {
            q += 1
        } else {
            guard Self.skipDigits(&q) else { return noteSyntax("a digit", at: q) }
        }
        if q.pointee == 0x2E {
            q += 1
            guard Self.skipDigits(&q) else { return noteSyntax("a digit after '.'", at: q) }
        }
        if q.pointee | 0x20 == 0x65 {
            q += 1
            if q.pointee == 0x2B || q.pointee == 0x2D { q += 1 }
            guard Self.skipDigits(&q) else { return noteSyntax("a digit of the exponent", at: q) }
        }
        guard !Self.isDigit(q.pointee) else { return noteSyntax("a number without leading zeros", at: q) }
        p = q
    }

    @inline(__always) private static func skipDigits(_ q: inout UnsafePointer<UInt8>) -> Bool {
        guard isDigit(q.pointee) else { return false }
        repeat { q += 1 } while isDigit(q.pointee)
        return true
    }

    @inlinable @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }
}
