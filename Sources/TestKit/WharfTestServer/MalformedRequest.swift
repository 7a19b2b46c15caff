import WharfCore

/// A request that the server refuses before any route sees it.
///
/// The start of the next request is then unknown, so the connection has to be closed (RFC 9112
/// §6.3).
struct MalformedRequest: Error, Equatable {
    /// The status of the answer: 400, 413, 431 or 501.
    let status: HTTPResponse.Status
    /// The reason. It quotes neither the target nor field values, as they may contain secrets.
    let reason: String

    init(_ reason: String, status: HTTPResponse.Status = .badRequest) {
        self.status = status
        self.reason = reason
    }
}
