internal import WharfPrimitives

/// The quoted-printable encoding (RFC 2045 §6.7).
enum QuotedPrintable {
    /// Encodes a line as lines of at most 76 characters. All but the last end in `=`.
    static func lines(_ line: [UInt8]) -> [String] {
        var lines: [String] = []
        var current = ""
        for (index, byte) in line.enumerated() {
            let isLast = index == line.count - 1
            let token = token(byte, isLast: isLast, isFirst: current.isEmpty, line[index...])
            // A line that is continued needs room for its `=`.
            if current.utf8.count + token.utf8.count > (isLast ? 76 : 75) {
                lines.append(current + "=")
                // The byte now begins a line, where a dot needs an escape that it did not need
                // inside the line.
                current = self.token(byte, isLast: isLast, isFirst: true, line[index...])
            } else {
                current += token
            }
        }
        return lines + [current]
    }

    private static func token(_ byte: UInt8, isLast: Bool, isFirst: Bool, _ rest: ArraySlice<UInt8>) -> String {
        // Mailbox files escape a line that begins with "From ". In SMTP a dot alone on a line ends
        // the message, so clients double a dot at the start of a line.
        if isFirst, byte == UInt8(ascii: ".") || rest.starts(with: "From ".utf8) { return "=" + hex(byte) }
        switch byte {
        // Relays strip white space at the end of a line (RFC 2045 §6.7, rule 3). Before a soft
        // break it is followed by `=`.
        case 0x20, 0x09: return isLast ? "=" + hex(byte) : String(UnicodeScalar(byte))
        case 0x21...0x3C, 0x3E...0x7E: return String(UnicodeScalar(byte))
        default: return "=" + hex(byte)
        }
    }

    static func hex(_ byte: UInt8) -> String { Hexadecimal.text(CollectionOfOne(byte), isUppercase: true) }
}
