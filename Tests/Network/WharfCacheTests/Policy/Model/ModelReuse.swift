import WharfCache
import WharfCore

/// RFC 9111 §4: the use of a stored response, and RFC 5861.
struct ModelReuse {
    enum Use: Hashable {
        case fresh, stale, staleWhileRevalidating, refused
    }

    /// The reason why the network gives no answer.
    enum Cause: CaseIterable {
        case reuse, storedOnly, unreachable, serverFailed
    }

    enum Decision: Hashable {
        case serve(Use)
        case revalidate(isFresh: Bool)
        case forward
        case gatewayTimeout
        case fail
    }

    let exchange: ModelExchange
    /// The lifetime, which the RFC leaves open for heuristics and repeated fields. It is checked by
    /// itself.
    let lifetime: Duration
    /// The age, which the RFC leaves open after the clock was set back. It is checked by itself.
    let age: Duration

    private var freshness: ModelFreshness { ModelFreshness(exchange: exchange) }
    private var asked: ModelDirectives { ModelDirectives(ModelFields.values("Cache-Control", exchange.request)) }
    private var said: ModelDirectives { freshness.directives }

    /// §4.2: "response_is_fresh = (freshness_lifetime > current_age)"
    var isFresh: Bool { lifetime > age }
    private var staleness: Duration { age - lifetime }

    func use(_ cause: Cause) -> Use {
        // §5.2.2.4: the unqualified no-cache: "MUST NOT be used to satisfy any other request
        // without forwarding it for validation and receiving a successful response".
        if said.concernsTheResponse("no-cache") { return .refused }
        // §3.5: "A shared cache MUST NOT use a cached response to a request with an Authorization
        // header field to satisfy any subsequent request unless" a directive allows it.
        let storability = ModelStorability(exchange: exchange)
        if exchange.isShared, storability.isAuthorized, !storability.permitsSharing { return .refused }
        // §5.2.1.4: "the client prefers stored response not be used to satisfy the request without
        // successful validation on the origin server." A reader of stored answers asks for no
        // validation.
        if cause != .storedOnly, asked.has("no-cache") { return .refused }
        if cause == .reuse {
            // §5.2.1.1: "the client prefers a response whose age is less than or equal to the
            // specified number of seconds."
            if let most = asked.seconds("max-age"), age > .seconds(most) { return .refused }
            // §5.2.1.3: "whose freshness lifetime is no less than its current age plus the
            // specified time in seconds."
            if let least = asked.minFresh, lifetime < age + .seconds(least) { return .refused }
        }
        if isFresh { return .fresh }
        // §4.2.4: "A cache MUST NOT generate a stale response if it is prohibited by an explicit
        // in-protocol directive (e.g., by a no-cache response directive, a must-revalidate response
        // directive, or an applicable s-maxage or proxy-revalidate response directive)."
        if said.has("must-revalidate") { return .refused }
        if exchange.isShared, said.has("proxy-revalidate") || said.has("s-maxage") { return .refused }
        // "A cache MUST NOT generate a stale response unless it is disconnected or doing so is
        // explicitly permitted by the client or origin server".
        switch cause {
        case .storedOnly: return .stale
        case .reuse:
            // §5.2.1.2: "that has exceeded its freshness lifetime […] by no more than the specified
            // number of seconds."
            if let most = asked.maxStale, staleness <= .seconds(most) { return .stale }
            // RFC 5861 §3: "up to the indicated number of seconds" after it becomes stale.
            if let most = said.seconds("stale-while-revalidate"), staleness <= .seconds(most) {
                return .staleWhileRevalidating
            }
            return .refused
        case .unreachable, .serverFailed: return afterFailure(cause)
        }
    }

    /// RFC 5861 §4, and the configuration ("an out-of-band contract", RFC 9111 §4.2.4).
    private func afterFailure(_ cause: Cause) -> Use {
        // Wharf replaces no failure by the stale failure of before.
        if [500, 502, 503, 504].contains(exchange.status) { return .refused }
        // "a cache MAY use the stale response […] within N seconds of it becoming stale"
        let limits = [said.seconds("stale-if-error"), asked.seconds("stale-if-error")].compactMap(\.self)
        if let most = limits.max(), staleness <= .seconds(most) { return .stale }
        switch exchange.configuration.staleOnFailure {
        case .always: return .stale
        case .upTo(let limit): return staleness <= limit ? .stale : .refused
        case .asPermitted:
            // Disconnected, and no field sets a limit.
            return cause == .unreachable && limits.isEmpty ? .stale : .refused
        }
    }

    /// The decision before the network is used.
    ///
    /// §5.2.1.7: with only-if-cached, "either a stored response […] or […] 504 (Gateway Timeout)".
    /// The modes that ask the network override it.
    func decision() -> Decision {
        switch exchange.mode {
        case .bypass: return .forward
        case .storedOnly:
            guard exchange.isStored, use(.storedOnly) != .refused else { return .fail }
            return .serve(use(.storedOnly))
        case .reload: return exchange.isStored ? .revalidate(isFresh: true) : .forward
        case .normal:
            guard exchange.isStored else { return asked.has("only-if-cached") ? .gatewayTimeout : .forward }
            let use = use(.reuse)
            if use != .refused { return .serve(use) }
            if asked.has("only-if-cached") { return .gatewayTimeout }
            // RFC 9211 §2.2: `request` if a fresh response was selected and the request's semantics
            // did not allow its use; otherwise `stale`.
            return .revalidate(isFresh: isFresh && !said.concernsTheResponse("no-cache"))
        }
    }
}
