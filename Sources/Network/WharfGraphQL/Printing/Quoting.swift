/// Prints a text as a `StringValue` in plain quotes. It works on Unicode scalars, because a
/// grapheme cluster can hide a quote.
enum Quoting {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { source in
            var start = 0
            var index = 0
            while index < source.count {
                // U+0080 to U+009F are encoded as C2 80 to C2 9F.
                let isWide = source[index] == 0xC2 && index + 1 < source.count && source[index + 1] < 0xA0
                let isPlain = isWide ? false : isPlain(source[index])
                // Plain runs are copied as a whole.
                guard !isPlain else {
                    index += 1
                    continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start..<index]))
                appendEscape(isWide ? source[index + 1] : source[index], to: &bytes)
                index += isWide ? 2 : 1
                start = index
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[start...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Returns the quoted text's length in UTF-16 units, as JavaScript counts.
    static func length(of text: String) -> Int {
        var length = 2
        for scalar in text.unicodeScalars {
            switch scalar.value {
            // The lengths repeat those of `appendEscape`.
            case 0x22, 0x5C, 0x08, 0x09, 0x0A, 0x0C, 0x0D: length += 2
            case 0..<0x20, 0x7F..<0xA0: length += 6
            case 0x10000...: length += 2
            default: length += 1
            }
        }
        return length
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F
    }

    private static func appendEscape(_ code: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch code {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(code)
        default:
            // Only code points up to U+009F are escaped, so two digits and `00` suffice.
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexDigit(code >> 4))
            bytes.append(hexDigit(code & 0xF))
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value + (value < 10 ? 0x30 : 0x37) }
}
