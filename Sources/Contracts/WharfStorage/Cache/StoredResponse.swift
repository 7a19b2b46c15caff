public import WharfCore

/// The head of a stored response, with its times and the request fields of `Vary`.
public struct StoredHead: Sendable, Hashable {
    /// The stored status and fields, without hop-by-hop fields.
    public var response: HTTPResponse
    /// The request's values of the fields that `Vary` names (RFC 9111 §4.1).
    ///
    /// A name that is missing here was absent from the request. An absent field differs from an
    /// empty one.
    public var varying: HTTPFields
    /// The time at which the request was sent: `request_time` of RFC 9111 §4.2.3.
    public var requestedAt: WallTime
    /// The time at which the response arrived: `response_time` of RFC 9111 §4.2.3.
    public var respondedAt: WallTime

    /// Creates a head.
    public init(response: HTTPResponse, varying: HTTPFields = [:], requestedAt: WallTime, respondedAt: WallTime) {
        self.response = response
        self.varying = varying
        self.requestedAt = requestedAt
        self.respondedAt = respondedAt
    }
}

extension StoredHead {
    /// The length of the body by `Content-Length`; nil without a valid one.
    ///
    /// A store refuses a response that is announced too large, before it keeps any of it.
    package var announcedLength: Int64? { response.announcedLength(for: .get) }
}

/// One variant that a store holds under a ``CacheKey``.
public struct StoredResponse: Sendable, Hashable, Identifiable {
    /// The id. A store never reuses it, even after the response is removed.
    public var id: Int64
    /// The head of the response.
    public var head: StoredHead
    /// The body's length in bytes.
    public var length: Int64

    /// Creates a stored response.
    public init(id: Int64, head: StoredHead, length: Int64) {
        self.id = id
        self.head = head
        self.length = length
    }
}
