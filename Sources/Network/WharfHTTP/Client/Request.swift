public import WharfCore

/// A request and the decoding of its response, as plain data. Making one sends nothing.
///
/// An ``APIEnvironment`` gives it an address, an ``APIClient`` sends it, and its ``Decoding`` reads
/// the response. Each of the four can be tested without the others.
///
/// ```swift
/// let page: [User] = try await client.fetch(.get("users", query: ["page": "2"])).value
/// let avatar = Request.get("users/\(id)/avatar", decoding: .bytes)
/// ```
public struct Request<Payload: Sendable>: Sendable {
    /// The HTTP method.
    public var method: HTTPRequest.Method
    /// The path or URL.
    public var target: RequestTarget
    /// The query, appended to the target's own.
    public var query: Query
    /// The header fields. They win over the environment's.
    public var fields: HTTPFields
    /// The body; `.none` for a request without one.
    public var body: RequestBody
    /// The decoding of the response's body.
    public var decoding: Decoding<Payload>
    /// The timeout of the request; nil for the client's default.
    ///
    /// It covers the time from sending to the last byte of the body. Attempts and pauses of a retry
    /// are included.
    public var timeout: Duration?
    /// The limit of the body; a longer one fails with ``ReadFailure/Code/tooLarge``.
    ///
    /// The body is not read beyond the limit. The default is 16 MiB.
    public var maximumBodyBytes = 16 << 20
    /// The reason why the request can't be sent, if making it failed.
    package var fault: ReadFailure?
    private var idempotenceSaid: Bool?

    /// Creates a request; nothing is sent.
    public init(
        _ method: HTTPRequest.Method, _ target: RequestTarget, query: Query = [], fields: HTTPFields = [:],
        body: RequestBody = .none, decoding: Decoding<Payload>
    ) {
        self.method = method
        self.target = target
        self.query = query
        self.fields = fields
        self.body = body
        self.decoding = decoding
    }

    /// Whether the request may be sent again if it is unknown whether it arrived.
    ///
    /// The default follows from the method (RFC 9110 §9.2.2). Set it to true for a POST with an
    /// idempotency key, and to false for a GET that has side effects.
    public var isIdempotent: Bool {
        get { idempotenceSaid ?? method.isIdempotent }
        set { idempotenceSaid = newValue }
    }

    /// Returns the same request with its payload mapped.
    ///
    /// An error of `transform` becomes ``ReadFailure/Code/unmappable``. So a well-formed answer
    /// with impossible values can be told from an answer in another form.
    public func map<Model: Sendable>(_ transform: @escaping @Sendable (Payload) throws -> Model) -> Request<Model> {
        var mapped = Request<Model>(
            method, target, query: query, fields: fields, body: body, decoding: decoding.map(transform))
        mapped.timeout = timeout
        mapped.maximumBodyBytes = maximumBodyBytes
        mapped.fault = fault
        mapped.idempotenceSaid = idempotenceSaid
        return mapped
    }
}

/// The path or URL that a request addresses.
public enum RequestTarget: Sendable, Hashable {
    /// A path below the environment's base URL.
    case path(RequestPath)
    /// An absolute URL, such as the link to the next page, with its query.
    ///
    /// The environment's fields are sent along only if the URL has the origin of the base URL.
    case url(String)
}
