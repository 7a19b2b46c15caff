internal import Foundation
internal import WharfCore

/// Why a request failed: the server closed the connection, which was kept from an earlier one, and
/// had sent nothing of an answer.
struct KeptConnectionClosed: Error {}

/// How often a request goes out again that may have met no more than a connection which was kept
/// too long.
struct KeptConnectionTries {
    /// libcurl allows itself as many where it can send again by itself.
    private var left = 5
    /// Whether one may have been closed while the body was being sent. True once: a server that
    /// refuses a body in its midst does not get it again and again.
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
            message: "expected an answer to \(request.redacted()), but the server closed the connection, which was "
                + "kept from an earlier request; it may have carried out this one, so only a request that is "
                + "idempotent (isIdempotent) is sent again",
            cause: KeptConnectionClosed())
    }

    /// libcurl fails then, where it would try a new connection if it were receiving, and says so by
    /// its words alone.
    fileprivate var saysThatSendingBrokeOff: Bool {
        guard code == .connectionLost, let cause else { return false }
        return Self.saysThatSendingBrokeOff((cause as NSError).localizedDescription)
    }

    /// - Parameter found: the second is that of older libcurls over TLS, 7.81 for one.
    static func saysThatSendingBrokeOff(_ found: String) -> Bool {
        found.hasPrefix("Send failure") || found.hasPrefix("OpenSSL SSL_write:")
    }
}
