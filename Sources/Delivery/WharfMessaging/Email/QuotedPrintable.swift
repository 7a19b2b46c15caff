internal import WharfPrimitives

/// RFC 2045 §6.7.
enum QuotedPrintable {
    /// A line of text as lines of at most 76 characters, of which all but the last end in `=`.
    static func lines(_ line: [UInt8]) -> [String] {
        var lines: [String] = []
        var current = ""
        for (index, byte) in line.enumerated() {
            let isLast = index == line.count - 1
            let token = token(byte, isLast: isLast, isFirst: current.isEmpty, line[index...])
            // One place is left for the `=` of a line that goes on.
            if current.utf8.count + token.utf8.count > (isLast ? 76 : 75) {
                lines.append(current + "=")
                current = self.token(byte, isLast: isLast, isFirst: true, line[index...])
            } else {
                current += token
            }
        }
        return lines + [current]
    }

    private static func token(_ byte: UInt8, isLast: Bool, isFirst: Bool, _ rest: ArraySlice<UInt8>) -> String {
        // Mailboxes change a line that begins like this, and SMTP ends at a line with a dot.
        if isFirst, byte == UInt8(ascii: ".") || rest.starts(with: "From ".utf8) { return "=" + hex(byte) }
        switch byte {
        case 0x20, 0x09: return isLast ? "=" + hex(byte) : String(UnicodeScalar(byte))
        case 0x21...0x3C, 0x3E...0x7E: return String(UnicodeScalar(byte))
        default: return "=" + hex(byte)
        }
    }

    static func hex(_ byte: UInt8) -> String { Hexadecimal.text(CollectionOfOne(byte), isUppercase: true) }
}
