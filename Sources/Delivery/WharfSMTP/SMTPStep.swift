#if os(Linux)
/// A step of a session, which the server answers by one reply (RFC 5321 §3).
enum SMTPStep: Hashable, Sendable {
    case greeting, hello, startTLS, authentication, sender
    /// RCPT for the recipient at this place in the envelope.
    case recipient(Int)
    /// The command DATA.
    case data
    /// The lines of the message, up to the dot.
    case content
    case quit
}

extension SMTPStep: CustomStringConvertible {
    var description: String {
        switch self {
        case .greeting: "the connection"
        case .hello: "EHLO"
        case .startTLS: "STARTTLS"
        case .authentication: "AUTH"
        case .sender: "MAIL"
        case .recipient: "RCPT"
        case .data: "DATA"
        case .content: "the message"
        case .quit: "QUIT"
        }
    }
}
#endif
