/// The head of a stored response, with what is needed to tell its age and whom it may answer.
public struct StoredHead: Sendable, Hashable {
    /// Status and fields as they are kept: without hop-by-hop fields.
    public var response: HTTPResponse
    /// The request's values of the fields that `Vary` names (RFC 9111 §4.1). A name that is not in
    /// here was absent from the request, which differs from being empty.
    public var varying: HTTPFields
    /// When the request was sent: `request_time` of RFC 9111 §4.2.3.
    public var requestedAt: WallTime
    /// When the response came: `response_time` of RFC 9111 §4.2.3.
    public var respondedAt: WallTime

    public init(response: HTTPResponse, varying: HTTPFields = [:], requestedAt: WallTime, respondedAt: WallTime) {
        self.response = response
        self.varying = varying
        self.requestedAt = requestedAt
        self.respondedAt = respondedAt
    }
}

/// One variant that a store holds under a ``CacheKey``.
public struct StoredResponse: Sendable, Hashable, Identifiable {
    /// Never used again within one store, also after the response is gone.
    public var id: Int64
    public var head: StoredHead
    /// The body's length in bytes.
    public var length: Int64

    public init(id: Int64, head: StoredHead, length: Int64) {
        self.id = id
        self.head = head
        self.length = length
    }
}
