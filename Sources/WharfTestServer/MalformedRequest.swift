#if TestServer
import WharfCore

/// A request that the server refuses before any route sees it.
///
/// Where the next request begins is unknown then, so the connection has to be closed (RFC 9112
/// §6.3).
struct MalformedRequest: Error, Equatable {
    /// 400, 413, 431 or 501.
    let status: HTTPResponse.Status
    /// It quotes neither the target nor the value of a field, because they may hold secrets.
    let reason: String

    init(_ reason: String, status: HTTPResponse.Status = .badRequest) {
        self.status = status
        self.reason = reason
    }
}
#endif
