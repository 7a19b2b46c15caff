#if os(Linux)
/// The lines of a message as DATA sends them, piece by piece.
///
/// A dot at the beginning of a line is doubled (RFC 5321 §4.5.2), and a line with one dot ends the
/// message. The last line gets the CRLF that it may lack.
struct SMTPContent: Sendable {
    static let longestPiece = 65_536

    private let message: [UInt8]
    private var offset = 0
    /// Whether the next byte begins a line.
    private var isAtLineStart = true
    private(set) var isAtEnd = false

    init(_ message: [UInt8]) { self.message = message }

    // The dot would otherwise end the last line, and not the message.
    private var lacksLineEnd: Bool { !message.isEmpty && message.suffix(2) != [0x0D, 0x0A] }

    /// The size that MAIL declares, without the doubled dots and the final dot (RFC 1870 §5).
    var size: Int { message.count + (lacksLineEnd ? 2 : 0) }

    /// The next piece. The last one ends with the dot.
    mutating func nextPiece() -> [UInt8] {
        let end = min(message.count, offset + Self.longestPiece)
        var piece: [UInt8] = []
        piece.reserveCapacity(end - offset + 64)
        while offset < end {
            let byte = message[offset]
            if isAtLineStart, byte == UInt8(ascii: ".") { piece.append(byte) }
            piece.append(byte)
            // A line ends in CR LF only. After a bare LF a server may or may not see a new line,
            // and a doubled dot would then be text.
            isAtLineStart = byte == 0x0A && offset > 0 && message[offset - 1] == 0x0D
            offset += 1
        }
        if offset == message.count {
            if lacksLineEnd { piece += [0x0D, 0x0A] }
            piece += Array(".\r\n".utf8)
            isAtEnd = true
        }
        return piece
    }
}
#endif
