package import WharfCore
internal import WharfPrimitives

/// What a cache does, as a value: no clock, no network, no store (RFC 9111).
package struct CachePolicy: Sendable {
    package let configuration: CacheConfiguration

    package init(_ configuration: CacheConfiguration) {
        self.configuration = configuration
    }

    package func facts(_ head: StoredHead) -> ResponseFacts {
        ResponseFacts(head, isShared: configuration.isShared)
    }

    /// The variant that answers this request: the one stored last among those whose `Vary` fields
    /// agree (§4.1).
    ///
    /// - Parameters:
    ///   - count: how many variants there are, the one stored last first.
    ///   - facts: reads the one at an index.
    package func select(
        _ request: RequestFacts, _ count: Int, _ facts: (Int) -> ResponseFacts
    ) -> (index: Int, facts: ResponseFacts)? {
        for index in 0..<count {
            let facts = facts(index)
            if facts.answers(request) { return (index, facts) }
        }
        return nil
    }

    /// What to do before the network is asked.
    package func decide(
        _ request: RequestFacts, _ mode: CacheMode, _ selected: ResponseFacts?, hasVariants: Bool, at now: WallTime
    ) -> CacheDecision {
        guard let selected else { return nothingSelected(request, mode, hasVariants: hasVariants) }
        switch mode {
        case .bypass: return .forward(.bypass)
        case .reload: return revalidate(request, selected, .request)
        case .storedOnly:
            let verdict = verdict(selected, request, .storedOnly, at: now)
            if case .refused(let reason) = verdict {
                return .fail(why: "what is kept can't answer: \(reason.rawValue)")
            }
            return .serve(verdict)
        case .normal:
            let verdict = verdict(selected, request, .reuse, at: now)
            switch verdict {
            case .fresh, .permitted: return .serve(verdict)
            case .refused(let reason):
                if request.cacheControl?.onlyIfCached == true { return .gatewayTimeout }
                let isFresh = selected.freshness(at: now).isFresh
                return revalidate(request, selected, isFresh && reason != .noCache ? .request : .stale)
            }
        }
    }

    package func verdict(
        _ response: ResponseFacts, _ request: RequestFacts, _ occasion: StaleUse.Occasion, at now: WallTime
    ) -> StaleUse.Verdict {
        StaleUse.verdict(response, request, occasion, at: now, configuration)
    }

    private func nothingSelected(_ request: RequestFacts, _ mode: CacheMode, hasVariants: Bool) -> CacheDecision {
        if mode == .storedOnly {
            return .fail(
                why: hasVariants
                    ? "what is kept differs in the request fields that Vary names" : "nothing is kept for this target"
            )
        }
        if mode == .normal, request.cacheControl?.onlyIfCached == true { return .gatewayTimeout }
        return .forward(mode == .bypass ? .bypass : hasVariants ? .varyMiss : .uriMiss)
    }

    private func revalidate(
        _ request: RequestFacts, _ selected: ResponseFacts, _ reason: CacheStatus.Forward
    ) -> CacheDecision {
        // A 304 to HEAD would leave the stored body without its own fields, so HEAD asks without
        // conditions.
        .revalidate(request.isHead ? [:] : selected.validators.conditionalFields, reason)
    }
}

/// What to do with a request, before the network is asked.
package enum CacheDecision: Sendable, Hashable {
    /// The selected response answers, fresh or by permission.
    case serve(StaleUse.Verdict)
    /// The network is asked with these fields in place of the request's own conditions; the
    /// selected response may stand in. Without fields there is no validator, and the request goes
    /// as it is.
    case revalidate(HTTPFields, CacheStatus.Forward)
    /// The network is asked, and nothing can stand in.
    case forward(CacheStatus.Forward)
    /// `only-if-cached` and nothing usable (RFC 9111 §5.2.1.7).
    case gatewayTimeout
    /// Only stored answers are wanted, and none can answer.
    case fail(why: String)
}
