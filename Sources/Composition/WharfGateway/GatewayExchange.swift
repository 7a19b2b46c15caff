public import WharfCore

/// A request that a `Gateway` has answered, for a log.
///
/// It has neither the query nor a field of the request, which may hold secrets.
public struct GatewayExchange: Sendable {
    /// The method; empty if the request was malformed.
    public let method: String
    /// The path without the query; empty if the request was malformed.
    public let path: String
    /// The status of the answer.
    public let status: HTTPResponse.Status
    /// The use of the cache; nil if the transport has none.
    public let cacheStatus: CacheStatus?
    /// The failure of the transport, even if a stored answer took its place.
    public let failure: TransportError?

    init(
        method: String, target: String, status: HTTPResponse.Status, cacheStatus: CacheStatus?,
        failure: TransportError? = nil
    ) {
        self.method = method
        self.path = target.withoutQuery
        self.status = status
        self.cacheStatus = cacheStatus
        self.failure = failure
    }
}

extension String {
    /// The path of a target, without the query, which may hold secrets.
    var withoutQuery: String {
        // By bytes, because the boundaries of characters cost more than the search.
        guard let query = utf8.firstIndex(of: UInt8(ascii: "?")) else { return self }
        return String(self[..<query])
    }
}
