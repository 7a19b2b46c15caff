import WharfCache
import WharfCore
import WharfStorage

extension ModelExchange {
    /// The differences between the policy and the model; empty if they agree.
    func differences() -> [String] {
        let policy = CachePolicy(configuration)
        var found: [String] = []
        func compare<Value: Equatable>(_ name: String, _ policy: Value, _ model: Value) {
            if policy != model { found.append("\(name): the policy says \(policy), and the model \(model)") }
        }

        let scope = RequestScope.of(sentRequest, configuration)
        compare("scope", Self.scope(scope), ModelScope(method))
        // RFC 9110 §9.3.3: "A cached POST response can be reused to satisfy a later GET or HEAD
        // request." The comparisons of its use are about that GET.
        let (request, stored) = request(scope, policy)
        let storability = ModelStorability(exchange: self)
        if stored != nil || storability.isExpected { compare("storable", stored != nil, storability.isPermitted) }
        // Nothing is kept of the exchange, and no stored response answers it.
        guard let request else { return found }

        let facts = policy.facts(stored ?? head)
        let freshness = facts.freshness(at: Self.time(now))
        let model = ModelFreshness(exchange: self)
        let (lifetime, age) = (freshness.freshnessLifetime, freshness.currentAge)
        if lifetime < .seconds(model.lifetime.lowerBound) || lifetime > .seconds(model.lifetime.upperBound) {
            found.append("lifetime: the policy says \(lifetime), and the model \(model.lifetime)")
        }
        if model.wasClockSetBack {
            // The RFC assumes a clock that runs on. No such response may seem younger than it came.
            if age < .seconds(model.initialAge) { found.append("age: \(age), although it came at \(model.initialAge)") }
        } else {
            compare("age", age, .seconds(model.currentAge))
        }
        let reuse = ModelReuse(exchange: self, lifetime: lifetime, age: age)
        for (cause, expected) in [
            (StaleUse.Cause.reuse, reuse.use(.reuse)), (.storedOnly, reuse.use(.storedOnly)),
            (.unreachable, reuse.use(.unreachable)), (.serverFailed, reuse.use(.serverFailed)),
        ] {
            compare("\(cause)", Self.use(policy.verdict(facts, request, cause, at: Self.time(now))), expected)
        }
        let decision = policy.decide(
            request, mode, isStored ? facts : nil, hasVariants: hasVariants, hasPart: false, at: Self.time(now))
        compare("decision", Self.decision(decision), reuse.decision())
        return found
    }

    /// The request that the store may answer, and the head that is stored for it; nil if there is
    /// none.
    private func request(_ scope: RequestScope, _ policy: CachePolicy) -> (RequestFacts?, StoredHead?) {
        let exchange = CacheExchange(
            mode: mode, isConditional: false, requestedAt: Self.time(requestTime), respondedAt: Self.time(responseTime))
        switch scope {
        case .cacheable(let facts):
            let isStorable = Storability(facts, answer, isShared: isShared) == .storable
            return (facts, isStorable ? policy.stored(answer, facts, exchange) : nil)
        case .unsafe:
            guard let facts = policy.facts(ofPost: sentRequest) else { return (nil, nil) }
            return (facts, policy.stored(answer, ofPost: facts, exchange))
        case .passing, .foreign: return (nil, nil)
        }
    }

    private static func scope(_ scope: RequestScope) -> ModelScope? {
        switch scope {
        case .cacheable: .answerable
        case .unsafe: .unsafe
        case .passing: .passing
        case .foreign: nil
        }
    }

    private static func use(_ decision: StaleUse.Decision) -> ModelReuse.Use {
        switch decision {
        case .fresh: .fresh
        case .permitted: .stale
        case .whileRevalidating: .staleWhileRevalidating
        case .refused: .refused
        }
    }

    private static func decision(_ decision: CacheDecision) -> ModelReuse.Decision {
        switch decision {
        case .serve(let use): .serve(Self.use(use))
        case .revalidate(_, let reason): .revalidate(isFresh: reason == .request)
        case .forward: .forward
        case .gatewayTimeout: .gatewayTimeout
        case .fail: .fail
        }
    }
}
