/// Whose cache this is, and what may stand in when the network fails.
public struct CacheConfiguration: Sendable, Hashable {
    /// What is kept and stale, when the network or the server failed.
    public enum StaleOnFailure: Sendable, Hashable {
        /// It stands in, however old it is.
        case always
        /// It stands in until it has been stale for this long.
        case upTo(Duration)
        /// As RFC 9111 §4.2.4 and RFC 5861 §4 permit: when the origin can't be reached, and on an
        /// error status only where `stale-if-error` says so.
        case asPermitted
    }

    /// The cache answers more than one user: `s-maxage` and `proxy-revalidate` bind it, `private`
    /// keeps it out, and what came for a request with `Authorization` is kept only as RFC 9111 §3.5
    /// permits.
    public var isShared: Bool
    /// `must-revalidate` and `no-cache` forbid it in any case.
    public var staleOnFailure: StaleOnFailure

    public init(isShared: Bool, staleOnFailure: StaleOnFailure) {
        self.isShared = isShared
        self.staleOnFailure = staleOnFailure
    }

    /// The cache of one app: what is kept stands in for every failure, unless the origin forbade
    /// it.
    public static let privateClient = CacheConfiguration(isShared: false, staleOnFailure: .always)

    /// The cache of a gateway.
    public static let shared = CacheConfiguration(isShared: true, staleOnFailure: .asPermitted)
}
