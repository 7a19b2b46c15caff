public import WharfCore
public import WharfStorage

/// The use that a cache may make of a stored response at a moment.
///
/// ``CachingTransport`` decides by the same rules. The assumed request is a GET without
/// `Cache-Control` and without credentials, whose fields select the response.
///
/// ```swift
/// for entry in try await store.entries(usedBefore: nil, limit: 100) {
///     print(entry.key.target, CacheAssessment(entry.head, by: .privateClient, at: now).freshness.isFresh)
/// }
/// ```
public struct CacheAssessment: Sendable, Hashable {
    /// A decision about the response.
    public enum Use: Sendable, Hashable {
        /// It is used, because it is fresh.
        case fresh
        /// It is used although it is stale.
        case stale
        /// It is used while it is revalidated (RFC 5861 §3).
        case staleWhileRevalidating
        /// It is not used without revalidation.
        ///
        /// The reason is a sentence without a full stop; the section is the one that demands it,
        /// such as `RFC 9111 §5.2.2.4`.
        case refused(reason: String, section: String)
    }

    /// The age and the lifetime, with the steps of their calculation.
    public var freshness: Freshness
    /// The use without asking the origin.
    public var use: Use
    /// The use if the origin can't be reached.
    public var useWhenUnreachable: Use
    /// The use if the origin answers 500, 502, 503 or 504.
    public var useAfterServerFailure: Use

    /// Assesses a stored head.
    ///
    /// - Parameters:
    ///   - head: the head as it is stored.
    ///   - configuration: that of the cache. A shared cache obeys other directives.
    ///   - now: the moment of the request.
    public init(_ head: StoredHead, by configuration: CacheConfiguration, at now: WallTime) {
        let facts = ResponseFacts(head, isShared: configuration.isShared)
        func decide(_ cause: StaleUse.Cause) -> Use {
            Use(StaleUse.verdict(facts, nil, hasAuthorization: false, cause, at: now, configuration))
        }
        freshness = facts.freshness(at: now)
        use = decide(.reuse)
        useWhenUnreachable = decide(.unreachable)
        useAfterServerFailure = decide(.serverFailed)
    }
}

extension CacheAssessment.Use {
    fileprivate init(_ decision: StaleUse.Decision) {
        self =
            switch decision {
            case .fresh: .fresh
            case .permitted: .stale
            case .whileRevalidating: .staleWhileRevalidating
            case .refused(let reason): .refused(reason: reason.rawValue, section: reason.section)
            }
    }
}

extension StaleUse.Reason {
    /// The section that demands the refusal.
    fileprivate var section: String {
        switch self {
        case .noCache: "RFC 9111 §5.2.2.4"
        case .requestNoCache: "RFC 9111 §5.2.1.4"
        case .mustRevalidate: "RFC 9111 §5.2.2.2"
        case .proxyRevalidate: "RFC 9111 §5.2.2.8"
        case .sharedMaxAge: "RFC 9111 §5.2.2.10"
        case .authorization: "RFC 9111 §3.5"
        case .stale: "RFC 9111 §4.2.4"
        case .tooOld: "RFC 9111 §5.2.1.1"
        case .notFreshEnough: "RFC 9111 §5.2.1.3"
        case .serverFailure, .staleTooLong, .notPermitted: "RFC 5861 §4"
        }
    }
}
