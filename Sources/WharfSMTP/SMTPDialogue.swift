#if os(Linux)
/// The replies of a server, by the steps of a session (RFC 5321 §3).
///
/// libcurl returns one error for a whole message. It shows each line on its way, though, so the
/// reply to each recipient is known from here.
struct SMTPDialogue: Sendable {
    enum Step: Hashable, Sendable {
        case greeting, hello, startTLS, authentication, sender
        /// By the place in the envelope.
        case recipient(Int)
        /// The command DATA.
        case data
        /// The lines of the message, up to the dot.
        case content
        case quit
    }

    private(set) var step = Step.greeting
    private(set) var replies: [Step: SMTPReply] = [:]
    private var recipients = 0
    /// The text of the reply that goes on.
    ///
    /// Invariant: at most ``longestText`` scalars, however many lines a server sends.
    private(set) var text = ""

    static let longestText = 200

    /// A line that the client sends, or the beginning of one. The lines of the message are not
    /// among them.
    mutating func sent(_ line: String) {
        let command = line.prefix { !$0.isNewline }
        switch command.uppercased() {
        case let name where name.hasPrefix("MAIL FROM:"): step = .sender
        // The lines that answer a challenge are base64, which may spell any other command.
        case _ where step == .authentication && replies[.authentication]?.isFinal != true: break
        case let name where name.hasPrefix("EHLO") || name.hasPrefix("HELO"): step = .hello
        case "STARTTLS": step = .startTLS
        case let name where name.hasPrefix("AUTH "): step = .authentication
        case let name where name.hasPrefix("RCPT TO:"):
            step = .recipient(recipients)
            recipients += 1
        case "DATA": step = .data
        case "QUIT": step = .quit
        default: break
        }
    }

    /// A line that the server sends.
    mutating func received(_ line: String) {
        let bytes = Array(line.utf8.prefix { $0 != 0x0D && $0 != 0x0A })
        guard bytes.count >= 3, let code = Int(String(decoding: bytes[..<3], as: UTF8.self)) else { return }
        let rest = String(decoding: bytes.dropFirst(4), as: UTF8.self)
        append(rest)
        guard bytes.count == 3 || bytes[3] != UInt8(ascii: "-") else { return }
        replies[step] = SMTPReply(code: code, text: text)
        text = ""
        // 354: the lines of the message come next, and the next reply is to them.
        if step == .data, code == 354 { step = .content }
    }

    private mutating func append(_ rest: String) {
        let room = Self.longestText - text.unicodeScalars.count
        guard room > 0, !rest.isEmpty else { return }
        let line = text.isEmpty ? rest : " \(rest)"
        text.unicodeScalars += line.unicodeScalars.prefix(room)
    }
}

extension SMTPReply {
    /// Whether it ends the exchange of challenges (RFC 4954 §4): 334 asks for more.
    fileprivate var isFinal: Bool { code != 334 }
}
#endif
