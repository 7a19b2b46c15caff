package import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// Decides whether a stored response may be used now.
///
/// Only this type weighs permissions against prohibitions to serve without revalidation (RFC 9111
/// §4.2.4, §5.2; RFC 5861 §4).
package enum StaleUse {
    /// The reason why the network does not answer.
    package enum Cause: Sendable, Hashable {
        /// The network was not used yet.
        case reuse
        /// The network must not be used: ``CacheMode/storedOnly``.
        case storedOnly
        /// No complete answer arrived.
        case unreachable
        /// The server answered 500, 502, 503 or 504.
        case serverFailed
    }

    package enum Decision: Sendable, Hashable {
        case fresh
        /// The response is stale, and its use is permitted.
        case permitted
        /// The response is stale, and is used while it is revalidated (RFC 5861 §3).
        case whileRevalidating
        case refused(Reason)

        /// The explanation in `Cache-Status` (RFC 9211 §2.8); nil for a fresh response.
        package var detail: String? {
            switch self {
            case .fresh: nil
            case .permitted, .refused: "STALE"
            case .whileRevalidating: "STALE-WHILE-REVALIDATE"
            }
        }
    }

    package enum Reason: String, Sendable, Hashable {
        case noCache = "no-cache: it must be validated before each use"
        case requestNoCache = "the request says no-cache"
        case mustRevalidate = "it is stale, and must-revalidate forbids its use"
        case proxyRevalidate = "it is stale, and proxy-revalidate forbids its use in a shared cache"
        case sharedMaxAge = "it is stale, and s-maxage forbids its use in a shared cache"
        case authorization = "it was not marked for sharing, and the request has Authorization"
        case serverFailure = "it is a failure of the server itself"
        case stale = "it is stale"
        case tooOld = "it is older than the request's max-age"
        case notFreshEnough = "it does not stay fresh for the request's min-fresh"
        case staleTooLong = "it has been stale for longer than is allowed"
        case notPermitted = "stale answers are not permitted for an error status without stale-if-error"
    }

    package static func verdict(
        _ response: ResponseFacts, _ request: RequestFacts, _ occasion: Cause, at now: WallTime,
        _ configuration: CacheConfiguration
    ) -> Decision {
        verdict(
            response, request.cacheControl, hasAuthorization: request.hasAuthorization, occasion, at: now,
            configuration)
    }

    /// - Parameter asked: the directives of the request; nil for none.
    static func verdict(
        _ response: ResponseFacts, _ asked: CacheControl?, hasAuthorization: Bool, _ occasion: Cause, at now: WallTime,
        _ configuration: CacheConfiguration
    ) -> Decision {
        let control = response.cacheControl
        let freshness = response.freshness(at: now)

        // Prohibitions come first: no permission below overrides them.
        // RFC 9111 §5.2.2.4.
        if control.noCache { return .refused(.noCache) }
        // RFC 9111 §3.5.
        if configuration.isShared, hasAuthorization, !control.permitsSharingAuthorized {
            return .refused(.authorization)
        }
        // `storedOnly` forbids the network, so a request for validation can't be met and does not
        // count.
        if asked?.noCache == true, occasion != .storedOnly { return .refused(.requestNoCache) }
        if !freshness.isFresh {
            // RFC 9111 §5.2.2.2: not even a failure permits stale use.
            if control.mustRevalidate { return .refused(.mustRevalidate) }
            // RFC 9111 §5.2.2.8.
            if configuration.isShared, control.proxyRevalidate { return .refused(.proxyRevalidate) }
            // RFC 9111 §5.2.2.10: s-maxage implies proxy-revalidate.
            if configuration.isShared, control.sharedMaxAge != nil { return .refused(.sharedMaxAge) }
        }

        switch occasion {
        case .reuse: return reuse(freshness, asked, whileRevalidating: control.staleWhileRevalidate)
        case .storedOnly: return freshness.isFresh ? .fresh : .permitted
        case .unreachable, .serverFailed:
            // A stale stored 503 explains a new failure no better than the failure itself.
            if response.head.response.status.isServerFailure, !freshness.isFresh { return .refused(.serverFailure) }
            if freshness.isFresh { return .fresh }
            return onFailure(freshness, [control.staleIfError, asked?.staleIfError], occasion, configuration)
        }
    }

    /// Decides about use without the network: the response must be fresh, and satisfy the request's
    /// directives (RFC 9111 §5.2.1).
    private static func reuse(
        _ freshness: Freshness, _ asked: CacheControl?, whileRevalidating window: Int64?
    ) -> Decision {
        let isInWindow = window.map { freshness.staleness <= .seconds($0) } ?? false
        guard let asked else { return freshness.isFresh ? .fresh : isInWindow ? .whileRevalidating : .refused(.stale) }
        // RFC 9111 §5.2.1.1: max-age of the request bounds the age, even of a fresh response.
        if let maxAge = asked.maxAge, freshness.currentAge > .seconds(maxAge) { return .refused(.tooOld) }
        // RFC 9111 §5.2.1.3.
        if let minFresh = asked.minFresh,
            freshness.freshnessLifetime - freshness.currentAge < .seconds(minFresh)
        {
            return .refused(.notFreshEnough)
        }
        if freshness.isFresh { return .fresh }
        // RFC 9111 §5.2.1.2. The client accepts a stale response, so no revalidation is started.
        if let maxStale = asked.maxStale, freshness.staleness <= .seconds(maxStale) { return .permitted }
        if isInWindow { return .whileRevalidating }
        return .refused(asked.maxStale == nil ? .stale : .staleTooLong)
    }

    private static func onFailure(
        _ freshness: Freshness, _ staleIfError: [Int64?], _ occasion: Cause, _ configuration: CacheConfiguration
    ) -> Decision {
        // RFC 5861 §4: response and request may each allow it, and the longer time counts.
        let bound = staleIfError.compactMap(\.self).max().map { Duration.seconds($0) }
        switch configuration.staleOnFailure {
        case .always: return .permitted
        case .upTo(let limit):
            return freshness.staleness <= max(limit, bound ?? .zero) ? .permitted : .refused(.staleTooLong)
        case .asPermitted:
            // With stale-if-error the origin has decided, for both occasions.
            if let bound { return freshness.staleness <= bound ? .permitted : .refused(.staleTooLong) }
            // RFC 9111 §4.2.4 permits stale use of a disconnected cache. An error status is an
            // answer.
            return occasion == .unreachable ? .permitted : .refused(.notPermitted)
        }
    }
}
