extension JSONReader {
    /// Reads a string with its escapes resolved; nil if another value is at the cursor.
    @inline(never) public mutating func string() -> String? {
        guard p.pointee == 0x22 else {
            noteMismatch("a string")
            return nil
        }
        let start = p + 1
        var q = start
        var high: UInt64 = 0
        Self.skipPlain(&q, &high)
        // No escape, and no byte beyond ASCII: the bytes are the text.
        guard _fastPath(q.pointee == 0x22), _fastPath(high & 0x8080_8080_8080_8080 == 0) else {
            return stringWithMore()
        }
        p = q + 1
        return String(ascii: start, count: q - start)
    }

    /// Returns the top bit of each byte that ends a plain run: a quote, a backslash, a control
    /// character.
    ///
    /// Only the lowest set bit is exact, and only that is used: a borrow can spoil the bytes above
    /// it.
    @inlinable @inline(__always) static func special(_ bytes: UInt64) -> UInt64 {
        let quote = bytes ^ 0x2222_2222_2222_2222
        let backslash = bytes ^ 0x5C5C_5C5C_5C5C_5C5C
        // A byte below 0x20 borrows when 0x20 is taken off, which sets its top bit. Bytes that had
        // it set are masked.
        let control = (bytes &- 0x2020_2020_2020_2020) & ~bytes
        // The usual test for a zero byte: after the exclusive or, a match is zero.
        let isQuote = (quote &- 0x0101_0101_0101_0101) & ~quote
        let isBackslash = (backslash &- 0x0101_0101_0101_0101) & ~backslash
        return (control | isQuote | isBackslash) & 0x8080_8080_8080_8080
    }

    /// Reads a string with escapes or characters beyond ASCII.
    @usableFromInline @inline(never) mutating func stringWithMore() -> String? {
        let start = p + 1
        var q = start
        var high: UInt64 = 0
        Self.skipPlain(&q, &high)
        // No escape, so the text is one run that needs only the check.
        if q.pointee == 0x22 {
            guard checkUTF8(start, q) else { return nil }
            p = q + 1
            return String(validUTF8: start, count: q - start)
        }
        var text: [UInt8] = []
        var run = start
        while true {
            Self.skipPlain(&q, &high)
            guard checkUTF8(run, q) else { return nil }
            // Runs between escapes are copied whole. An escape is ASCII, so no sequence of UTF-8
            // spans two runs.
            text.append(contentsOf: UnsafeBufferPointer(start: run, count: q - run))
            if q.pointee == 0x22 { break }
            guard let scalar = escape(&q) else { return nil }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            run = q
        }
        p = q + 1
        return text.withUnsafeBufferPointer { text in
            text.baseAddress.map { String(validUTF8: $0, count: text.count) } ?? ""
        }
    }

    /// Skips a string, and checks it as if it were read.
    @usableFromInline mutating func skipString() {
        let start = p + 1
        var q = start
        var run = start
        while true {
            var high: UInt64 = 0
            Self.skipPlain(&q, &high)
            // A run of ASCII needs no check.
            if high & 0x8080_8080_8080_8080 != 0, !checkUTF8(run, q) { return }
            if q.pointee == 0x22 { break }
            guard escape(&q) != nil else { return }
            run = q
        }
        p = q + 1
    }

    /// Moves to the next quote, backslash or control character.
    ///
    /// The bytes before it are combined into `high` by a bitwise or. The padding's zero ends the
    /// run at the latest.
    @inlinable @inline(__always) static func skipPlain(_ q: inout UnsafePointer<UInt8>, _ high: inout UInt64) {
        while true {
            let bytes = UInt64(littleEndian: UnsafeRawPointer(q).loadUnaligned(as: UInt64.self))
            let special = special(bytes)
            if special != 0 {
                let length = special.trailingZeroBitCount >> 3
                // Only the bytes before the end count. The shift is at most 56, so it never wraps.
                high |= bytes & ((1 &<< UInt64(truncatingIfNeeded: length << 3)) &- 1)
                q += length
                return
            }
            high |= bytes
            q += 8
        }
    }

    private mutating func checkUTF8(_ start: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>) -> Bool {
        guard let wrong = UTF8Check.firstInvalid(start, stop) else { return true }
        noteSyntax("valid UTF-8", code: .invalidUTF8, at: wrong, isInString: true)
        return false
    }

    /// Resolves the escape at `q`, or notes the character that ends the string too early (RFC 8259
    /// §7).
    ///
    /// A lone surrogate is an error, as UTF-8 can't express it.
    @inline(never) private mutating func escape(_ q: inout UnsafePointer<UInt8>) -> Unicode.Scalar? {
        guard q.pointee == 0x5C else {
            noteSyntax(
                q < end ? "no control character in a string; write it as an escape" : "a closing quote", at: q,
                isInString: true)
            return nil
        }
        let character = q[1]
        switch character {
        case 0x22, 0x5C, 0x2F:
            q += 2
            return Unicode.Scalar(character)
        case 0x62, 0x66, 0x6E, 0x72, 0x74:
            q += 2
            switch character {
            case 0x62: return "\u{8}"
            case 0x66: return "\u{C}"
            case 0x6E: return "\n"
            case 0x72: return "\r"
            default: return "\t"
            }
        case 0x75:
            guard let unit = fourHexDigits(q + 2) else { return nil }
            // No surrogate (U+D800 to U+DFFF): the unit is the scalar.
            if unit & 0xF800 != 0xD800 {
                q += 6
                return Unicode.Scalar(unit)
            }
            // A low surrogate (U+DC00 and above) may not come first.
            guard unit < 0xDC00 else {
                noteSyntax("a high surrogate before a low one", at: q, isInString: true)
                return nil
            }
            // The padding is zero, so these looks ahead stay in memory and fail at the end.
            guard q[6] == 0x5C, q[7] == 0x75 else {
                noteSyntax("a low surrogate after a high one", at: q + 6, isInString: true)
                return nil
            }
            guard let low = fourHexDigits(q + 8) else { return nil }
            guard low & 0xFC00 == 0xDC00 else {
                noteSyntax("a low surrogate after a high one", at: q + 6, isInString: true)
                return nil
            }
            q += 12
            return Unicode.Scalar(0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF))
        default:
            noteSyntax("an escape: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u", at: q, isInString: true)
            return nil
        }
    }

    private mutating func fourHexDigits(_ q: UnsafePointer<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for index in 0..<4 {
            let byte = q[index]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x37
            case 0x61...0x66: digit = byte - 0x57
            default:
                noteSyntax("four hexadecimal digits after \\u", at: q + index, isInString: true)
                return nil
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}
