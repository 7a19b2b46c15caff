import WharfCache
import WharfCore

extension ModelExchange {
    /// The differences between the policy and the model; empty if they agree.
    func differences() -> [String] {
        let policy = CachePolicy(configuration)
        guard case .cacheable(let request) = RequestScope.of(sentRequest, configuration) else {
            return ["the request is out of the policy's scope"]
        }
        let facts = policy.facts(head)
        let freshness = facts.freshness(at: Self.time(now))
        var found: [String] = []
        func compare<Value: Equatable>(_ name: String, _ policy: Value, _ model: Value) {
            if policy != model { found.append("\(name): the policy says \(policy), and the model \(model)") }
        }

        let storability = ModelStorability(exchange: self)
        let isStorable = Storability(request, answer, isShared: isShared) == .storable
        if isStorable || storability.isExpected { compare("storable", isStorable, storability.isPermitted) }

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
