/// The owner of a cache, its use of stale responses when the network fails, and its reports.
public struct CacheConfiguration: Sendable {
    /// The use of stale responses after a failure of the network or the server.
    public enum StaleOnFailure: Sendable, Hashable {
        /// A stale response is used, however old it is.
        case always
        /// A stale response is used until it has been stale for this time.
        case upTo(Duration)
        /// A stale response is used as RFC 9111 §4.2.4 and RFC 5861 §4 permit.
        ///
        /// That is, if the origin is unreachable. After an error status it is used only if
        /// `stale-if-error` allows it.
        case asPermitted
    }

    /// Whether the cache answers more than one user.
    ///
    /// A shared cache obeys `s-maxage`, `proxy-revalidate` and `CDN-Cache-Control` (RFC 9213), and
    /// stores no `private` response. It stores the response to a request with `Authorization` only
    /// as RFC 9111 §3.5 permits.
    public var isShared: Bool
    /// The use of stale responses after a failure.
    ///
    /// `must-revalidate` and `no-cache` override it.
    public var staleOnFailure: StaleOnFailure
    /// Whether `Set-Cookie` is stored with the responses that have no account. It is false by
    /// default.
    ///
    /// If true, each client gets the cookies of the client whose request filled the cache (RFC 9111
    /// §7.3). With a cookie of a session, it gets that client's session.
    ///
    /// - Warning: Set it only for the gateway of an origin whose cookies are not personal, such as
    ///   those of a load balancer or of a language.
    ///
    /// If false, the response is stored without the field. Responses of an account always have it.
    public var storesSetCookie = false
    /// Gets the outcome of each request, and the changes of the stored responses; nil for none.
    ///
    /// ``CacheEvent`` has their order. It is called synchronously on the task that caused the
    /// event, and must return quickly.
    public var onEvent: CacheEventHandler?

    /// Creates a configuration.
    public init(isShared: Bool, staleOnFailure: StaleOnFailure) {
        self.isShared = isShared
        self.staleOnFailure = staleOnFailure
    }

    /// The configuration for one app's cache.
    ///
    /// A stored response replaces any failure, unless the origin forbids it.
    public static let privateClient = CacheConfiguration(isShared: false, staleOnFailure: .always)

    /// The configuration for the cache of a gateway.
    public static let shared = CacheConfiguration(isShared: true, staleOnFailure: .asPermitted)
}
