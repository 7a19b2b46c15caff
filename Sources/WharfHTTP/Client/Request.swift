public import WharfCore

/// A request and how to read its answer, as plain data. Making one does nothing.
///
/// It is built here, addressed by an ``APIEnvironment``, sent by an ``APIClient`` and read by its
/// ``Decoding``; each of the four can be tested without the others.
///
/// ```swift
/// let page: [User] = try await client.fetch(.get("users", query: ["page": "2"])).value
/// let avatar = Request.get("users/\(id)/avatar", decoding: .bytes)
/// ```
public struct Request<Payload: Sendable>: Sendable {
    public var method: HTTPRequest.Method
    public var target: RequestTarget
    public var query: Query
    /// They win over the environment's.
    public var fields: HTTPFields
    public var body: RequestBody
    public var decoding: Decoding<Payload>
    /// The time from sending to the last byte of the body, tries and pauses of a retry included;
    /// nil for the client's default.
    public var timeout: Duration?
    /// A longer body fails with ``ReadFailure/Code/tooLarge``, and is not read further. 16 MiB
    /// unless set.
    public var maximumBodyBytes: Int
    /// Why the request can't be sent, found while it was made.
    var fault: ReadFailure?
    private var idempotenceSaid: Bool?

    public init(
        _ method: HTTPRequest.Method, _ target: RequestTarget, query: Query = [], fields: HTTPFields = [:],
        body: RequestBody = .none, timeout: Duration? = nil, maximumBodyBytes: Int = 16 << 20,
        decoding: Decoding<Payload>
    ) {
        self.method = method
        self.target = target
        self.query = query
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.maximumBodyBytes = maximumBodyBytes
        self.decoding = decoding
    }

    /// Whether it may be sent again when nobody knows whether it arrived. By the method (RFC 9110
    /// §9.2.2) unless set: true for a POST with an idempotency key, false for a GET that counts.
    public var isIdempotent: Bool {
        get { idempotenceSaid ?? method.isIdempotent }
        set { idempotenceSaid = newValue }
    }

    /// The same request, its payload mapped. What `transform` throws becomes
    /// ``ReadFailure/Code/unmappable``, so that a service which answers nonsense can be told from
    /// one that does not answer in the agreed form.
    public func map<Model: Sendable>(_ transform: @escaping @Sendable (Payload) throws -> Model) -> Request<Model> {
        var mapped = Request<Model>(
            method, target, query: query, fields: fields, body: body, timeout: timeout,
            maximumBodyBytes: maximumBodyBytes, decoding: decoding.map(transform)
        )
        mapped.fault = fault
        mapped.idempotenceSaid = idempotenceSaid
        return mapped
    }
}

/// Where a request goes.
public enum RequestTarget: Sendable, Hashable {
    /// Below the environment's base URL.
    case path(RequestPath)
    /// An absolute URL, such as the link to the next page. It keeps its query. The environment's
    /// fields go with it only when it has the origin of the base URL.
    case url(String)
}
