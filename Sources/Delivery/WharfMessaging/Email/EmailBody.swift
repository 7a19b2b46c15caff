internal import WharfPrimitives

/// A text as the body of a message, in lines that mail systems carry unchanged.
///
/// It is not encoded if each line can be sent as it is. Otherwise the shorter of quoted-printable
/// and Base64 is used (RFC 2045 §6).
///
/// CR LF, CR and LF each end a line. The last line ends as well, since SMTP has no unfinished
/// lines.
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
        // One line that relays may change makes the whole body encoded: an entity has one encoding.
        let quoted = lines.flatMap(QuotedPrintable.lines)
        let base64 = Base64.lines(lines.flatMap { $0 + [0x0D, 0x0A] })
        func size(_ lines: [String]) -> Int { lines.reduce(0) { $0 + $1.utf8.count + 2 } }
        let isQuotedShorter = size(quoted) <= size(base64)
        encoding = isQuotedShorter ? .quotedPrintable : .base64
        self.lines = isQuotedShorter ? quoted : base64
    }

    /// Returns the lines without their line ends.
    private static func lines(of text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = [[]]
        var isBehindCR = false
        for byte in text.utf8 {
            // CR LF ends one line: its LF is skipped.
            if byte == 0x0D || byte == 0x0A && !isBehindCR {
                lines.append([])
            } else if byte != 0x0A {
                lines[lines.count - 1].append(byte)
            }
            isBehindCR = byte == 0x0D
        }
        // A text that ends in a line end has no empty line after it.
        if lines[lines.count - 1].isEmpty { lines.removeLast() }
        return lines
    }

    /// Whether relays carry the line unchanged.
    ///
    /// - It has at most 998 octets (RFC 5322 §2.1.1), of printable ASCII or tabs.
    /// - It does not end in white space.
    /// - It does not begin with a dot, which SMTP doubles, or with "From ", which mailbox files
    ///   escape.
    /// - It does not begin with `--=_`, like a boundary of ``MIMEEntity``.
    private static func isPlain(_ line: [UInt8]) -> Bool {
        line.count <= 998 && line.allSatisfy { $0 == 0x09 || (0x20...0x7E).contains($0) } && line.last != 0x20
            && line.last != 0x09 && line.first != UInt8(ascii: ".") && !line.starts(with: "From ".utf8)
            && !line.starts(with: "--=_".utf8)
    }
}
