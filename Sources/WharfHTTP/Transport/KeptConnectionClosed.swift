internal import WharfCore

/// The cause of an error: the server closed a connection that was kept from an earlier request, and had sent nothing of an answer to this one.
struct KeptConnectionClosed: Error {}

extension TransportError {
    static func keptConnectionClosed(before request: HTTPRequest) -> TransportError {
        TransportError(
            .connectionLost,
            message: "expected an answer to \(request.redacted()), but the server closed the connection, which was "
                + "kept from an earlier request; it may have carried out this one, so only what says isIdempotent is sent "
                + "again",
            cause: KeptConnectionClosed())
    }
}
