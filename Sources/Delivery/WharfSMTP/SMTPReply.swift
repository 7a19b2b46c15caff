#if os(Linux)
/// The answer of a server to one command (RFC 5321 §4.2).
struct SMTPReply: Hashable, Sendable {
    let code: Int
    /// The text of all lines after their codes, joined by spaces; at most 200 scalars are kept.
    let text: String
    /// The extensions that the lines name, if the command was EHLO.
    var extensions: SMTPExtensions = []

    var isPositive: Bool { (200..<400).contains(code) }

    /// 4yz: the same command may succeed later (§4.2.1).
    var isTransient: Bool { (400..<500).contains(code) }

    /// 421: the server closes the connection after this reply (RFC 5321 §3.8).
    var isClosing: Bool { code == 421 }

    var description: String { text.isEmpty ? "\(code)" : "\(code) \(text)" }
}

extension SMTPReply: CustomStringConvertible {}

/// The extensions of a server that a transaction uses (RFC 5321 §4.1.1.1).
struct SMTPExtensions: OptionSet, Hashable, Sendable {
    let rawValue: Int

    /// Commands may be sent before the replies to earlier ones (RFC 2920).
    static let pipelining = Self(rawValue: 1)
    /// MAIL may declare the size of the message (RFC 1870).
    static let size = Self(rawValue: 2)

    init(rawValue: Int) { self.rawValue = rawValue }

    /// Parses a line of an answer to EHLO.
    ///
    /// - Parameter line: the line without its code.
    init(line: String) {
        switch line.prefix(while: { $0 != " " }).uppercased() {
        case "PIPELINING": self = .pipelining
        case "SIZE": self = .size
        default: self = []
        }
    }
}
#endif
