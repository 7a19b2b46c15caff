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

    public init(
        _ head: HTTPRequest, body: RequestBody = .none, account: Account? = nil, cache: CacheMode = .normal,
        timeout: Duration? = nil
    ) {
        self.head = head
        self.body = body
        self.account = account
        self.cache = cache
        self.timeout = timeout
    }
}

/// What is sent with a request. A stream is made anew for each try, so a retry or a 307 can send it again.
public enum RequestBody: Sendable {
    case none
    case bytes([UInt8])
    case stream(@Sendable () -> BodyStream, length: Int64?)
}
