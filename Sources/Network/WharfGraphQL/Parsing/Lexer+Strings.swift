/// Strings (GraphQL September 2025 §2.10.4).
extension Lexer {
    mutating func string(_ start: Int) throws(Stop) -> Token {
        // `""` alone is the empty string; a third quote begins a block string.
        if byte(start + 1) == UInt8(ascii: "\""), byte(start + 2) == UInt8(ascii: "\"") { return try block(start) }
        var token = Token(kind: .string, start: start, end: start + 1)
        while let next = byte(token.end) {
            switch next {
            case UInt8(ascii: "\""):
                token.end += 1
                return token
            case UInt8(ascii: "\\"):
                token.hasEscapes = true
                // Checked while scanning, so `stringValue` can't fail later.
                guard let escape = escape(token.end) else {
                    throw stop(at: token.end, "expected an escape sequence, found \(shownEscape(token.end))")
                }
                token.end = escape.end
            // §2.10.4: a plain string ends on its line.
            case 0x0A, 0x0D:
                throw stop(at: token.end, "expected the end of a string, found the end of the line")
            default: token.end += 1
            }
        }
        throw stop(at: token.end, "expected the end of a string, found the end of the document")
    }

    private mutating func block(_ start: Int) throws(Stop) -> Token {
        var token = Token(kind: .blockString, start: start, end: start + 3)
        while token.end < bytes.count {
            if isTripleQuote(token.end) {
                token.end += 3
                return token
            }
            // The only escape of a block string. A backslash elsewhere stands for itself.
            if bytes[token.end] == UInt8(ascii: "\\"), isTripleQuote(token.end + 1) {
                token.hasEscapes = true
                token.end += 4
            } else {
                token.end += 1
            }
        }
        throw stop(at: token.end, "expected the end of a block string, found the end of the document")
    }

    @inline(__always) private func isTripleQuote(_ index: Int) -> Bool {
        byte(index) == UInt8(ascii: "\"") && byte(index + 1) == UInt8(ascii: "\"")
            && byte(index + 2) == UInt8(ascii: "\"")
    }

    /// Reads an escape sequence; nil for an unknown one, and for a lone surrogate.
    private func escape(_ start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        switch byte(start + 1) {
        case UInt8(ascii: "\""): ("\"", start + 2)
        case UInt8(ascii: "\\"): ("\\", start + 2)
        case UInt8(ascii: "/"): ("/", start + 2)
        case UInt8(ascii: "b"): ("\u{8}", start + 2)
        case UInt8(ascii: "f"): ("\u{C}", start + 2)
        case UInt8(ascii: "n"): ("\n", start + 2)
        case UInt8(ascii: "r"): ("\r", start + 2)
        case UInt8(ascii: "t"): ("\t", start + 2)
        case UInt8(ascii: "u") where byte(start + 2) == UInt8(ascii: "{"): braced(start + 3)
        case UInt8(ascii: "u"): fourDigits(start + 2)
        default: nil
        }
    }

    /// Reads `\u{1F600}`, with any number of digits.
    private func braced(_ start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        var value: UInt32 = 0
        var end = start
        while let next = byte(end), let digit = Self.hexDigit(next) {
            value = value << 4 | digit
            // Checked for each digit: leading zeros may be many, and the value must not overflow.
            guard value <= 0x10FFFF else { return nil }
            end += 1
        }
        guard end > start, byte(end) == UInt8(ascii: "}") else { return nil }
        // `Unicode.Scalar` refuses surrogates.
        return Unicode.Scalar(value).map { ($0, end + 1) }
    }

    /// Reads `\u00E9`, or both halves of a surrogate pair.
    private func fourDigits(_ start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
        guard let first = unit(start) else { return nil }
        // A high surrogate must be followed by a low one; a low one alone is refused by
        // `Unicode.Scalar`.
        guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first).map { ($0, start + 4) } }
        guard byte(start + 4) == UInt8(ascii: "\\"), byte(start + 5) == UInt8(ascii: "u"),
            let second = unit(start + 6), (0xDC00...0xDFFF).contains(second)
        else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)).map { ($0, start + 10) }
    }

    private func unit(_ start: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in start..<start + 4 {
            guard let next = byte(index), let digit = Self.hexDigit(next) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x37
        default: nil
        }
    }

    /// Returns the beginning of an escape for a message, at most as long as one with four digits.
    private func shownEscape(_ start: Int) -> String {
        var end = start + 1
        // The part that is shown ends at a quote or a blank: the rest of the line may be anything.
        while end < min(start + 6, bytes.count), (0x21...0x7E).contains(bytes[end]), bytes[end] != UInt8(ascii: "\"") {
            end += 1
        }
        return "\"\(text(start, end))\""
    }

    /// The value of the current token, which must be a string.
    var stringValue: GraphQLString {
        if token.kind == .blockString {
            let value = BlockString.value(
                of: UnsafeBufferPointer(rebasing: bytes[token.start + 3..<token.end - 3]), hasEscapes: token.hasEscapes)
            return GraphQLString(value, isBlock: true)
        }
        let (start, end) = (token.start + 1, token.end - 1)
        guard token.hasEscapes else { return GraphQLString(text(start, end)) }
        var value: [UInt8] = []
        value.reserveCapacity(end - start)
        var index = start
        while index < end {
            // Each escape was checked by `string(_:)`.
            if bytes[index] == UInt8(ascii: "\\"), let escape = escape(index) {
                value.append(contentsOf: UTF8.encode(escape.scalar).unsafelyUnwrapped)
                index = escape.end
            } else {
                value.append(bytes[index])
                index += 1
            }
        }
        return GraphQLString(String(decoding: value, as: UTF8.self))
    }
}
