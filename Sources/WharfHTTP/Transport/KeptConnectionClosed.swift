internal import Foundation
internal import WharfCore

/// Why a request failed: the server closed the connection, which was kept from an earlier one, and had sent nothing of an answer.
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

    /// Whether it may mean no more than that a kept connection was closed. Where that is seen while a body is being sent, libcurl says so
    /// instead of trying a new one, and that by its words alone.
    var isOfAKeptConnection: Bool {
        guard code == .connectionLost, let cause else { return false }
        return cause is KeptConnectionClosed || (cause as NSError).localizedDescription.hasPrefix("Send failure")
    }
}
