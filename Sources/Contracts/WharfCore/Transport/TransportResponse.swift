/// An answer: its head, its body, which is read on demand, and its origin.
public struct TransportResponse: Sendable {
    /// The status and the fields.
    public var head: HTTPResponse
    /// The body.
    public var body: BodyStream
    /// The source and the age of the answer.
    public var provenance: Provenance
    /// Whether the request lost its credentials when a redirect led to another origin.
    package var leftCredentialsBehind = false

    /// Creates an answer.
    public init(head: HTTPResponse, body: BodyStream, provenance: Provenance) {
        self.head = head
        self.body = body
        self.provenance = provenance
    }
}

/// The source and the age of an answer, and the reason why it is not newer.
public struct Provenance: Sendable {
    /// The source of the answer.
    public var source: Source
    /// The time at which the origin last sent or revalidated the answer.
    public var asOf: WallTime
    /// The time at which the answer becomes stale; nil if it has no lifetime.
    public var staleAt: WallTime?
    /// The reason why the refresh failed; nil if it did not.
    public var failure: TransportError?
    /// The status of the cache (RFC 9211); nil if there was no cache.
    public var cacheStatus: CacheStatus?
    /// The calculation of `asOf` and `staleAt`; nil if there was no cache.
    public var freshness: Freshness?

    /// Creates a provenance.
    public init(
        source: Source, asOf: WallTime, staleAt: WallTime? = nil, failure: TransportError? = nil,
        cacheStatus: CacheStatus? = nil, freshness: Freshness? = nil
    ) {
        self.source = source
        self.asOf = asOf
        self.staleAt = staleAt
        self.failure = failure
        self.cacheStatus = cacheStatus
        self.freshness = freshness
    }
}

/// The source of a value.
public struct Source: Hashable, Sendable, CustomStringConvertible {
    /// The name, as in the description.
    public let name: String
    /// Creates a source from its name.
    public init(_ name: String) { self.name = name }
    public var description: String { name }

    /// The origin sent the whole value.
    public static let network = Source("network")
    /// The origin confirmed the kept value (304).
    public static let revalidated = Source("revalidated")
    /// The HTTP cache, without a request or after a failed one.
    public static let httpCache = Source("httpCache")
    /// The last good value that a repository had in memory.
    public static let memory = Source("memory")
    /// The entity store.
    public static let store = Source("store")
    /// Another channel delivered it, such as a socket or a notification.
    public static let pushed = Source("pushed")
    /// A local file with a `file:` URL.
    public static let file = Source("file")
}
