/// How a cache handled a request, in the terms of RFC 9211.
public struct CacheStatus: Sendable, Hashable {
    /// The reason why a request went forward to the origin (RFC 9211 §2.2).
    public enum Forward: String, Sendable, Hashable {
        case bypass, method, request, stale, partial
        case uriMiss = "uri-miss"
        case varyMiss = "vary-miss"
    }

    /// Whether the cache answered from its store (RFC 9211 §2.1).
    ///
    /// This includes a stored answer that stands in for a failed forward request.
    public var hit: Bool
    /// The reason why the request went forward; nil if it did not.
    public var forward: Forward?
    /// The status of the forward answer, if there was one.
    public var forwardStatus: Int?
    /// Seconds until stale; negative when stale.
    public var ttl: Int64?
    /// Whether the forward answer was stored.
    public var stored: Bool?
    /// Whether the request waited for an equal one that was in flight (RFC 9211 §2.6).
    ///
    /// True if the response to that one was reused. False if a request of its own had to be sent.
    /// nil if it did not wait.
    public var collapsed: Bool?
    /// A further explanation: a token such as `STALE-ON-ERROR`.
    public var detail: String?

    /// Creates a status.
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

    /// Returns the status as a member of a `Cache-Status` field.
    ///
    /// The member is a structured field (RFC 9651) with parameters. In RFC 9211, `hit` and `fwd`
    /// exclude each other. A stored answer that stands in for a failed forward request therefore
    /// has `fwd` and `detail`.
    public func fieldValue(cache name: String = "wharf") -> String {
        // Each answer of a gateway has the field, so it is one string and no array of parts.
        var value = name
        func add(_ parameter: String, _ argument: String = "") {
            value += "; "
            value += parameter
            value += argument
        }
        if let forward {
            // RFC 9211 §2.1: a response that went forward is no hit, even if a stored one stands in
            // for its failure.
            add("fwd=", forward.rawValue)
        } else if hit {
            add("hit")
        }
        if let forwardStatus { add("fwd-status=", String(forwardStatus)) }
        if let ttl { add("ttl=", String(ttl)) }
        if let stored { add(stored ? "stored" : "stored=?0") }
        if let collapsed { add(collapsed ? "collapsed" : "collapsed=?0") }
        if let detail { add("detail=", detail) }
        return value
    }
}
