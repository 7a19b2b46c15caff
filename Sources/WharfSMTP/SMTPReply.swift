#if os(Linux)
/// The answer of a server to one command (RFC 5321 §4.2).
struct SMTPReply: Hashable, Sendable {
    let code: Int
    /// All lines behind their codes, by spaces; at most 200 scalars are kept.
    let text: String

    var isPositive: Bool { (200..<400).contains(code) }

    /// 4yz: the same command may succeed later (§4.2.1).
    var isTransient: Bool { (400..<500).contains(code) }

    var description: String { text.isEmpty ? "\(code)" : "\(code) \(text)" }
}

extension SMTPReply: CustomStringConvertible {}
#endif
