/// A request, with the data that the lower layers need.
public struct TransportRequest: Sendable {
    /// The method, scheme, authority, path with query, and fields.
    public var head: HTTPRequest
    /// The body of the request.
    public var body: RequestBody
    /// The account of the answer.
    ///
    /// Without an account, answers to requests with credentials are not stored.
    public var account: Account?
    /// The site in whose name the request is sent; nil for the app's own.
    ///
    /// An answer that was stored for one site is no answer for another.
    public var topLevelSite: TopLevelSite?
    /// The way in which the request uses stored answers.
    public var cache: CacheMode
    /// The time from sending to the last byte of the body; nil for no limit.
    public var timeout: Duration?
    /// Gets each interim response (1xx) before the answer; nil to drop them (RFC 9110 §15.2).
    ///
    /// An app preloads the resources that a 103 names (RFC 8297), and a gateway passes each head
    /// on:
    ///
    /// ```swift
    /// request.onInterim = { head in
    ///     if head.status.code == 103 { preload(head.headerFields[values: link]) }
    /// }
    /// request.onInterim = { head in await client.write(head) }
    /// let answer = try await transport.send(request)
    /// ```
    ///
    /// - `send` calls it for one head after the other, in the order of their arrival. The last call
    ///   has ended when `send` returns or throws.
    /// - `send` waits for it, so a slow call delays the answer. The timeout goes on meanwhile.
    /// - It does not get 101 (the protocol is never switched), nor a 100 that the transport itself
    ///   has asked for by `Expect`.
    /// - A request that is sent several times (a retry, a redirect, a 401) gets those of each
    ///   attempt.
    /// - An interim response is never stored. A stored answer, and an answer that was requested for
    ///   another reader too, may come without any.
    ///
    /// The documentation of a transport says if its HTTP client drops them.
    public var onInterim: (@Sendable (HTTPResponse) async -> Void)?
    private var idempotenceSaid: Bool?

    /// Creates a request.
    ///
    /// - Parameter isIdempotent: nil to derive it from the method; see ``isIdempotent``.
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

    /// Whether the request has the same effect if it is sent twice (RFC 9110 §9.2.2).
    ///
    /// Such a request is repeated if it is unknown whether it arrived. The default depends on the
    /// method. Set it for a POST with an idempotency key, for example.
    public var isIdempotent: Bool {
        get { idempotenceSaid ?? head.method.isIdempotent }
        set { idempotenceSaid = newValue }
    }
}

extension HTTPRequest.Method {
    /// Whether it is PUT, DELETE or a safe method (RFC 9110 §9.2.2).
    ///
    /// An unknown method is not idempotent.
    package var isIdempotent: Bool {
        switch self {
        case .get, .head, .options, .trace, .query, .put, .delete: true
        default: false
        }
    }
}

/// The body of a request.
///
/// A stream is created again for each attempt, so a retry or a 307 can repeat it.
public enum RequestBody: Sendable {
    /// No body.
    case none
    /// A body of known bytes.
    case bytes([UInt8])
    /// A body that the closure creates for each attempt; `length` is nil if unknown.
    case stream(@Sendable () -> BodyStream, length: Int64?)
}
