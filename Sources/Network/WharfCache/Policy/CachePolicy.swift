package import WharfCore
internal import WharfPrimitives
package import WharfStorage

/// The decisions of a cache as a value, without clock, network or store (RFC 9111).
package struct CachePolicy: Sendable {
    package let configuration: CacheConfiguration

    package init(_ configuration: CacheConfiguration) {
        self.configuration = configuration
    }

    package func facts(_ head: StoredHead) -> ResponseFacts {
        ResponseFacts(head, isShared: configuration.isShared)
    }

    /// Returns the variant that answers a request.
    ///
    /// That is the last stored one of those whose `Vary` fields match (RFC 9111 §4.1).
    ///
    /// - Parameters:
    ///   - count: the number of variants. The last stored one comes first.
    ///   - facts: returns the facts of the variant at an index.
    package func select(
        _ request: RequestFacts, _ count: Int, _ facts: (Int) -> ResponseFacts
    ) -> (index: Int, facts: ResponseFacts)? {
        for index in 0..<count {
            let facts = facts(index)
            if facts.answers(request) { return (index, facts) }
        }
        return nil
    }

    /// Returns the decision about a request, before the network is used.
    ///
    /// - Parameters:
    ///   - hasVariants: whether any response is stored for the target.
    ///   - hasPart: whether a part is stored that lacks bytes of this request.
    package func decide(
        _ request: RequestFacts, _ mode: CacheMode, _ selected: ResponseFacts?, hasVariants: Bool, hasPart: Bool,
        at now: WallTime
    ) -> CacheDecision {
        guard let selected else {
            return nothingSelected(request, mode, hasVariants: hasVariants, hasPart: hasPart)
        }
        switch mode {
        case .bypass: return .forward(.bypass)
        // Revalidation suffices for a reload: a 304 proves that the stored body is current.
        case .reload: return revalidate(request, selected, .request)
        case .storedOnly:
            let verdict = verdict(selected, request, .storedOnly, at: now)
            if case .refused(let reason) = verdict {
                return .fail(why: "the stored response can't be used: \(reason.rawValue)")
            }
            return .serve(verdict)
        case .normal:
            let verdict = verdict(selected, request, .reuse, at: now)
            switch verdict {
            case .fresh, .permitted, .whileRevalidating: return .serve(verdict)
            case .refused(let reason):
                if request.cacheControl?.onlyIfCached == true { return .gatewayTimeout }
                // The Cache-Status (RFC 9211) tells whether the request or the age forced the
                // revalidation.
                let isFresh = selected.freshness(at: now).isFresh
                return revalidate(request, selected, isFresh && reason != .noCache ? .request : .stale)
            }
        }
    }

    package func verdict(
        _ response: ResponseFacts, _ request: RequestFacts, _ occasion: StaleUse.Cause, at now: WallTime
    ) -> StaleUse.Decision {
        StaleUse.verdict(response, request, occasion, at: now, configuration)
    }

    /// Returns the facts of a POST whose answer may be stored for a later GET; nil for any other
    /// request.
    package func facts(ofPost request: TransportRequest) -> RequestFacts? {
        guard request.head.method == .post else { return nil }
        var later = request
        later.head.method = .get
        later.body = .none
        guard case .cacheable(let facts) = RequestScope.of(later, configuration) else { return nil }
        return facts
    }

    /// Returns the head to store for the answer to a POST; nil if it does not answer a later GET.
    ///
    /// RFC 9110 §9.3.3: the answer must state its lifetime, and name the target as its
    /// `Content-Location`.
    package func stored(
        _ answer: HTTPResponse, ofPost request: RequestFacts, _ exchange: CacheExchange
    ) -> StoredHead? {
        // RFC 9110 §8.7: the value has no fragment. `resolve` drops one, and with it the second of
        // two contradicting lines.
        let value = answer.headerFields[.contentLocation].flatMap { $0.utf8.contains(UInt8(ascii: "#")) ? nil : $0 }
        let location = value.flatMap(request.target.resolve)
        guard answer.status.code == 200, location?.text == request.target.text,
            ResponseDirectives(answer.headerFields, isShared: configuration.isShared)
                .isExplicit(isShared: configuration.isShared),
            Storability(request, answer, isShared: configuration.isShared) == .storable
        else { return nil }
        return stored(answer, request, exchange)
    }

    private func nothingSelected(
        _ request: RequestFacts, _ mode: CacheMode, hasVariants: Bool, hasPart: Bool
    ) -> CacheDecision {
        if mode == .storedOnly {
            return .fail(
                why: hasPart
                    ? "only a part of the response is stored, and it lacks bytes of this request"
                    : hasVariants
                        ? "the stored response is for other values of the request fields that Vary names"
                        : "no response is stored for this target"
            )
        }
        if mode == .normal, request.cacheControl?.onlyIfCached == true { return .gatewayTimeout }
        return .forward(mode == .bypass ? .bypass : hasPart ? .partial : hasVariants ? .varyMiss : .uriMiss)
    }

    private func revalidate(
        _ request: RequestFacts, _ selected: ResponseFacts, _ reason: CacheStatus.Forward
    ) -> CacheDecision {
        // A 304 to HEAD would replace the fields that belong to the stored body. So HEAD is sent
        // without conditions.
        .revalidate(request.isHead ? [:] : selected.validators.conditionalFields, reason)
    }
}

/// The cache's decision about a request, before the network is used.
package enum CacheDecision: Sendable, Hashable {
    /// Return the selected response: it is fresh, or stale use is permitted.
    case serve(StaleUse.Decision)
    /// Send the request with these fields in place of its own conditions. The selected response may
    /// replace a failure. Without fields there is no validator, and the request is sent as it is.
    case revalidate(HTTPFields, CacheStatus.Forward)
    /// Send the request; no stored response may replace a failure.
    case forward(CacheStatus.Forward)
    /// Answer 504: the request says `only-if-cached`, and no response is usable (RFC 9111
    /// §5.2.1.7).
    case gatewayTimeout
    /// Fail: only stored responses are allowed, and none is usable.
    case fail(why: String)
}
