package import WharfCore
internal import WharfPrimitives

/// Decides whether a stored response may be used now.
///
/// Only this type weighs permissions against prohibitions to serve without revalidation (RFC 9111
/// §4.2.4, §5.2; RFC 5861 §4).
package enum StaleUse {
    /// The reason why the network does not answer.
    package enum Occasion: Sendable, Hashable {
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
        case refused(Reason)
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
        _ response: ResponseFacts, _ request: RequestFacts, _ occasion: Occasion, at now: WallTime,
        _ configuration: CacheConfiguration
    ) -> Decision {
        let control = response.cacheControl
        let freshness = response.freshness(at: now)
        let asked = request.cacheControl

        // Prohibitions come first: no permission below overrides them.
        if control.noCache { return .refused(.noCache) }
        if configuration.isShared, request.hasAuthorization, !control.permitsSharingAuthorized {
            return .refused(.authorization)
        }
        if asked?.noCache == true, occasion != .storedOnly { return .refused(.requestNoCache) }
        if !freshness.isFresh {
            if control.mustRevalidate { return .refused(.mustRevalidate) }
            if configuration.isShared, control.proxyRevalidate { return .refused(.proxyRevalidate) }
            if configuration.isShared, control.sharedMaxAge != nil { return .refused(.sharedMaxAge) }
        }

        switch occasion {
        case .reuse: return reuse(freshness, asked)
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
    private static func reuse(_ freshness: Freshness, _ asked: CacheControl?) -> Decision {
        guard let asked else { return freshness.isFresh ? .fresh : .refused(.stale) }
        if let maxAge = asked.maxAge, freshness.currentAge > .seconds(maxAge) { return .refused(.tooOld) }
        if let minFresh = asked.minFresh,
            freshness.freshnessLifetime - freshness.currentAge < .seconds(minFresh)
        {
            return .refused(.notFreshEnough)
        }
        if freshness.isFresh { return .fresh }
        guard let maxStale = asked.maxStale else { return .refused(.stale) }
        return freshness.staleness <= .seconds(maxStale) ? .permitted : .refused(.staleTooLong)
    }

    private static func onFailure(
        _ freshness: Freshness, _ staleIfError: [Int64?], _ occasion: Occasion, _ configuration: CacheConfiguration
    ) -> Decision {
        let bound = staleIfError.compactMap(\.self).max().map { Duration.seconds($0) }
        switch configuration.staleOnFailure {
        case .always: return .permitted
        case .upTo(let limit):
            return freshness.staleness <= max(limit, bound ?? .zero) ? .permitted : .refused(.staleTooLong)
        case .asPermitted:
            if let bound { return freshness.staleness <= bound ? .permitted : .refused(.staleTooLong) }
            return occasion == .unreachable ? .permitted : .refused(.notPermitted)
        }
    }
}
