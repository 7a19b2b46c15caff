#if os(Linux)
/// A parser of a server's replies, byte by byte.
///
/// Lines without a code are skipped, as in libcurl.
///
/// Invariant: `line` has at most ``keptBytes`` bytes, and `text` at most ``longestText`` scalars. A
/// server can't make the memory of a reader grow.
struct SMTPReplyReader: Sendable {
    /// A reply that exceeds the limits.
    enum Fault: Error, Hashable, Sendable {
        /// A line is longer than ``longestLine`` bytes.
        case longLine
        /// A reply has more than ``mostLines`` lines.
        case manyLines
    }

    static let longestLine = 65_536
    static let mostLines = 1_000
    static let longestText = 200
    private static let keptBytes = 1_024

    /// The beginning of the current line.
    private var line: [UInt8] = []
    /// The length of the current line so far, including its CR.
    private var length = 0
    /// The number of lines of the current reply.
    private var lines = 0
    /// The text of the current reply.
    private(set) var text = ""
    private var extensions: SMTPExtensions = []

    /// Takes a byte.
    ///
    /// - Returns: the reply that ends with this byte; nil if none does.
    mutating func read(_ byte: UInt8) throws(Fault) -> SMTPReply? {
        guard byte == UInt8(ascii: "\n") else {
            length += 1
            // The length is counted apart from the kept bytes, since a line may be longer than is
            // kept.
            if length > Self.longestLine { throw .longLine }
            if line.count < Self.keptBytes { line.append(byte) }
            return nil
        }
        lines += 1
        // Lines without a code count as well. Otherwise a server could send such lines for ever.
        if lines > Self.mostLines { throw .manyLines }
        defer {
            line.removeAll(keepingCapacity: true)
            length = 0
        }
        return endLine()
    }

    /// Takes the current line.
    ///
    /// - Returns: the reply if this was its last line.
    private mutating func endLine() -> SMTPReply? {
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count >= 3, let code = Self.code(line) else { return nil }
        let rest = String(decoding: line.dropFirst(4), as: UTF8.self)
        // The first line of an answer to EHLO has the name of the server.
        if lines > 1 { extensions.formUnion(SMTPExtensions(line: rest)) }
        append(rest)
        // A hyphen after the code announces another line (RFC 5321 §4.2.1). A bare code is a last
        // line.
        guard line.count == 3 || line[3] != UInt8(ascii: "-") else { return nil }
        defer { (text, lines, extensions) = ("", 0, []) }
        return SMTPReply(code: code, text: text, extensions: extensions)
    }

    private static func code(_ line: [UInt8]) -> Int? {
        var code = 0
        for byte in line[..<3] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return code
    }

    private mutating func append(_ rest: String) {
        let room = Self.longestText - text.unicodeScalars.count
        guard room > 0, !rest.isEmpty else { return }
        let line = text.isEmpty ? rest : " \(rest)"
        text.unicodeScalars += line.unicodeScalars.prefix(room)
    }
}
#endif
