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
    /// The connection was lost in between.
    case lost(String)
    /// The time for the message was over.
    case timedOut(Duration)
    /// The task that waited for it was cancelled.
    case cancelled
}

/// The transcript of a connection, and its end.
struct SMTPTranscript: Sendable {
    var dialogue: SMTPDialogue
    var ending: SMTPEnding
}
#endif
