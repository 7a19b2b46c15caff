internal import Foundation
internal import WharfCore

/// The cause of a failure on a reused connection: the server closed it before it had sent any byte
/// of a response.
struct KeptConnectionClosed: Error {}

/// The retries of a request that may have failed only because its reused connection was closed.
struct KeptConnectionTries {
    /// The limit of libcurl's own retries.
    private var left = 5
    /// Whether a reused connection may have been closed while the body was sent. It is true only
    /// once, so that a server which refuses a body midway does not get it repeatedly.
    private var mayBreakOff: Bool

    init(hasKept: Bool) { mayBreakOff = hasKept }

    mutating func allowAnother(after error: TransportError) -> Bool {
        left -= 1
        if error.cause is KeptConnectionClosed { return left > 0 }
        guard error.saysThatSendingBrokeOff else { return false }
        defer { mayBreakOff = false }
        return mayBreakOff && left > 0
    }
}

extension TransportError {
    static func keptConnectionClosed(before request: HTTPRequest) -> TransportError {
        TransportError(
            .connectionLost,
            message: "\(request.redacted()) failed: the server closed the connection, which was kept from an earlier "
                + "request, and may have carried out this one; only a request that is idempotent (isIdempotent) is "
                + "sent again",
            cause: KeptConnectionClosed())
    }

    /// Whether sending failed on a closed connection. libcurl retries such a failure only while
    /// receiving, and only its message tells the two apart.
    fileprivate var saysThatSendingBrokeOff: Bool {
        guard code == .connectionLost, let cause else { return false }
        return Self.saysThatSendingBrokeOff((cause as NSError).localizedDescription)
    }

    /// - Parameter found: libcurl's message. The second prefix is that of older versions over TLS,
    ///   such as 7.81.
    static func saysThatSendingBrokeOff(_ found: String) -> Bool {
        found.hasPrefix("Send failure") || found.hasPrefix("OpenSSL SSL_write:")
    }
}
