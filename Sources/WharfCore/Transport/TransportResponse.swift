/// One answer: the head at once, the body as it is pulled, and where both came from.
public struct TransportResponse: Sendable {
    public var head: HTTPResponse
    public var body: BodyStream
    public var provenance: Provenance
    /// Whether it answers a request that left its credentials behind, when a redirect led to
    /// another origin.
    package var leftCredentialsBehind = false

    public init(head: HTTPResponse, body: BodyStream, provenance: Provenance) {
        self.head = head
        self.body = body
        self.provenance = provenance
    }
}

/// Where an answer came from, how old it is, and why it is not a newer one.
public struct Provenance: Sendable {
    public var source: Source
    /// When the origin server last vouched for the answer.
    public var asOf: WallTime
    /// When it becomes stale; nil when it has no lifetime of its own.
    public var staleAt: WallTime?
    /// Why the refresh failed, when a kept answer is served in spite of it.
    public var failure: TransportError?
    /// How the cache handled the request (RFC 9211); nil where there was no cache.
    public var cacheStatus: CacheStatus?
    /// The arithmetic behind `asOf` and `staleAt`; nil where there was no cache.
    public var freshness: Freshness?

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

/// Where a value came from.
public struct Source: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public init(_ name: String) { self.name = name }
    public var description: String { name }

    /// The origin server answered with the whole value.
    public static let network = Source("network")
    /// The origin server confirmed what was kept (304).
    public static let revalidated = Source("revalidated")
    /// The HTTP cache, without asking the origin or after it failed to answer.
    public static let httpCache = Source("httpCache")
    /// The last good value that a repository held in memory.
    public static let memory = Source("memory")
    /// The entity store.
    public static let store = Source("store")
    /// Somebody handed it over: a socket, a notification.
    public static let pushed = Source("pushed")
    /// A local file, by a `file:` URL.
    public static let file = Source("file")
}
