/// How a cache handled a request, in the terms of RFC 9211.
public struct CacheStatus: Sendable, Hashable {
    /// Why a request went forward to the origin (RFC 9211 §2.2).
    public enum Forward: String, Sendable, Hashable {
        case bypass, method, request, stale
        case uriMiss = "uri-miss"
        case varyMiss = "vary-miss"
    }

    /// The cache answered by itself (RFC 9211 §2.1), also when a forward request failed and what is
    /// stored stands in.
    public var hit: Bool
    public var forward: Forward?
    /// The status of the forward answer, where there was one.
    public var forwardStatus: Int?
    /// Seconds until stale; negative when stale.
    public var ttl: Int64?
    /// The forward answer was stored.
    public var stored: Bool?
    /// Anything else that explains it: a token such as `STALE-ON-ERROR`.
    public var detail: String?

    public init(
        hit: Bool, forward: Forward? = nil, forwardStatus: Int? = nil, ttl: Int64? = nil, stored: Bool? = nil,
        detail: String? = nil
    ) {
        self.hit = hit
        self.forward = forward
        self.forwardStatus = forwardStatus
        self.ttl = ttl
        self.stored = stored
        self.detail = detail
    }

    /// The value of a `Cache-Status` field: one member of the list, a structured field (RFC 9651)
    /// with parameters.
    ///
    /// RFC 9211 wants `hit` and `fwd` to exclude each other, so a stored answer that stands in for
    /// a failed forward request is shown by its `fwd` and `detail`.
    public func fieldValue(cache name: String = "wharf") -> String {
        var members = [name]
        if let forward {
            members.append("fwd=\(forward.rawValue)")
        } else if hit {
            members.append("hit")
        }
        if let forwardStatus { members.append("fwd-status=\(forwardStatus)") }
        if let ttl { members.append("ttl=\(ttl)") }
        if let stored { members.append(stored ? "stored" : "stored=?0") }
        if let detail { members.append("detail=\(detail)") }
        return members.joined(separator: "; ")
    }
}
