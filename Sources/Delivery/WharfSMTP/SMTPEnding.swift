#if os(Linux)
/// How a connection came to its end.
enum SMTPEnding: Hashable, Sendable {
    /// The client has said goodbye, or the server has refused a step.
    case complete
    /// There was no connection: no address, no route, no port that listens.
    case unreachable(String)
    /// The connection could not be encrypted: no STARTTLS, or a certificate that is not trusted.
    case notSecured(String)
    /// The server offers no AUTH mechanism that the channel has, and got no AUTH.
    case notSignedIn
    /// libcurl refused an option, or had no memory.
    case notSetUp(String)
    /// The server broke the protocol.
    case violated(SMTPViolation)
    /// The connection was lost in between.
    case lost(String)
    /// The time for the message was over.
    case timedOut(Duration)
    /// The task that waited for it was cancelled.
    case cancelled
}

/// A reply that the protocol does not allow.
enum SMTPViolation: Error, Hashable, Sendable {
    /// A reply is beyond the limits.
    case limit(SMTPReplyReader.Fault)
    /// A step was answered by a code that does not answer it, such as 354 to RCPT.
    case unexpected(SMTPReply, to: SMTPStep)
    /// A reply that no command had asked for.
    case unasked(SMTPReply)
}

extension SMTPViolation: CustomStringConvertible {
    var description: String {
        switch self {
        case .limit(.longLine): "a line of more than \(SMTPReplyReader.longestLine) bytes"
        case .limit(.manyLines): "a reply of more than \(SMTPReplyReader.mostLines) lines"
        case .unexpected(let reply, let step): "a reply to \(step) that does not answer it: \(reply)"
        case .unasked(let reply): "a reply that no command had asked for: \(reply)"
        }
    }
}

/// The replies of a connection by their steps, and its end.
struct SMTPTranscript: Sendable {
    var replies: [SMTPStep: SMTPReply] = [:]
    var ending: SMTPEnding
}
#endif
