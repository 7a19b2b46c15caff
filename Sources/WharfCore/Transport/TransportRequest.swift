/// One request on its way down, with what the layers below need to know beside it.
public struct TransportRequest: Sendable {
    /// Method, scheme, authority, path with query, and fields.
    public var head: HTTPRequest
    public var body: RequestBody
    /// Whose answer this is. Without one, nothing is kept for a request that carries credentials.
    public var account: Account?
    public var cache: CacheMode
    /// The time from sending to the last byte of the body; nil for no limit.
    public var timeout: Duration?
    private var idempotenceSaid: Bool?

    /// - Parameter isIdempotent: nil to go by the method; see ``isIdempotent``.
    public init(
        _ head: HTTPRequest, body: RequestBody = .none, account: Account? = nil, cache: CacheMode = .normal,
        timeout: Duration? = nil, isIdempotent: Bool? = nil
    ) {
        self.head = head
        self.body = body
        self.account = account
        self.cache = cache
        self.timeout = timeout
        self.idempotenceSaid = isIdempotent
    }

    /// Whether sending it twice does what sending it once does, so that it may be sent again when
    /// nobody knows whether it arrived (RFC 9110 §9.2.2). By its method, unless said otherwise: a
    /// POST with an idempotency key, for one.
    public var isIdempotent: Bool {
        get { idempotenceSaid ?? head.method.isIdempotent }
        set { idempotenceSaid = newValue }
    }
}

extension HTTPRequest.Method {
    /// PUT, DELETE and the safe methods (RFC 9110 §9.2.2). An unknown method is not.
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .query, .put, .delete: true
        default: false
        }
    }
}

/// What is sent with a request. A stream is made anew for each try, so a retry or a 307 can send it
/// again.
public enum RequestBody: Sendable {
    case none
    case bytes([UInt8])
    case stream(@Sendable () -> BodyStream, length: Int64?)
}
