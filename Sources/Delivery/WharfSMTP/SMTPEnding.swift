#if os(Linux)
/// The reason for the end of a connection.
enum SMTPEnding: Hashable, Sendable {
    /// The transaction ended by QUIT, or after a reply that ends it.
    case complete
    /// There was no connection: no address, no route, no port that listens.
    case unreachable(String)
    /// The connection could not be encrypted: no STARTTLS, or an untrusted certificate.
    case notSecured(String)
    /// The server offers no AUTH mechanism that the channel supports, so no AUTH was sent.
    case notSignedIn
    /// libcurl refused an option, or memory or threads ran out.
    case notSetUp(String)
    /// The server broke the protocol.
    case violated(SMTPViolation)
    /// The connection was lost in the middle of the session.
    case lost(String)
    /// The timeout of the message expired.
    case timedOut(Duration)
    /// The task that waited for the session was cancelled.
    case cancelled
}

/// A reply that the protocol does not allow.
enum SMTPViolation: Error, Hashable, Sendable {
    /// A reply exceeds the limits.
    case limit(SMTPReplyReader.Fault)
    /// The reply has a code that is not valid for its step, such as 354 to RCPT.
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
