internal import WharfPrimitives

/// A text as the body of a message: in lines that mail systems carry as they are, by the encoding that takes the least (RFC 2045 §6).
///
/// Each of CR LF, CR and LF ends a line, and the last line ends too, as SMTP has no other.
struct EmailBody: Hashable {
    enum Encoding: String {
        case sevenBit = "7bit"
        case quotedPrintable = "quoted-printable"
        case base64
    }

    let encoding: Encoding
    let lines: [String]

    init(_ text: String) {
        let lines = Self.lines(of: text)
        if lines.allSatisfy(Self.isPlain) {
            encoding = .sevenBit
            self.lines = lines.map { String(decoding: $0, as: UTF8.self) }
            return
        }
        let quoted = lines.flatMap(QuotedPrintable.lines)
        let base64 = Array(Base64.text(lines.flatMap { $0 + [0x0D, 0x0A] }).utf8)
        if quoted.reduce(0, { $0 + $1.utf8.count + 2 }) <= base64.count + (base64.count + 75) / 76 * 2 {
            encoding = .quotedPrintable
            self.lines = quoted
        } else {
            encoding = .base64
            self.lines = stride(from: 0, to: base64.count, by: 76).map {
                String(decoding: base64[$0..<min($0 + 76, base64.count)], as: UTF8.self)
            }
        }
    }

    /// Without their ends.
    private static func lines(of text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var isBehindCR = false
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A && !isBehindCR {
                lines.append([])
            } else if byte != 0x0A {
                lines[lines.count - 1].append(byte)
            }
            isBehindCR = byte == 0x0D
        }
        if lines[lines.count - 1].isEmpty { lines.removeLast() }
        return lines
    }

    /// Nobody changes it: no line is too long (RFC 5322 §2.1.1), ends in a space, or looks like the beginning or the end of a message.
    private static func isPlain(_ line: [UInt8]) -> Bool {
        line.count <= 998 && line.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) } && line.last != 0x20
            && line.last != 0x09 && line.first != UInt8(ascii: ".") && !line.starts(with: "From ".utf8)
    }
}
