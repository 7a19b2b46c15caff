#if Server
internal import NIOHTTP1

/// The version of HTTP in which a client sent a request, as `Via` names it (RFC 9110 §7.6.3).
enum ClientVersion: String, Sendable {
    /// It has no chunks and no interim responses.
    case http10 = "1.0"
    case http11 = "1.1"
    /// A request is one stream of the connection, so the connection has others.
    case http2 = "2"

    /// - Parameter version: 1.0, a later 1, or 2; the parsers accept no other.
    init(_ version: HTTPVersion) {
        self = version.major >= 2 ? .http2 : version.minor >= 1 ? .http11 : .http10
    }
}
#endif
