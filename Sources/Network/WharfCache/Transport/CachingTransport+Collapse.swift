import WharfCore
import WharfStorage

extension CachingTransport {
    /// A request that the store can't answer alone, and the policy's decision about it.
    struct Miss: Sendable {
        var decision: CacheDecision
        var request: TransportRequest
        let facts: RequestFacts
        var found: Lookup
        var now: WallTime
    }

    /// Sends a request, or waits for an equal one that is in flight (RFC 9111 §4).
    ///
    /// - Parameter reason: the reason why the store could not answer.
    /// - Parameter conditions: the conditions that the cache would add.
    func collapse(
        _ miss: Miss, _ reason: CacheStatus.Forward, _ conditions: HTTPFields
    ) async throws(TransportError) -> TransportResponse {
        let mayLead = policy.mayLead(miss.facts, conditions)
        let deadline = miss.request.timeout.map { Deadline(after: $0, on: timer) }
        while true {
            switch collapsed.join(miss.facts, mayLead: mayLead) {
            case .leader(let leader): return try await carryOut(miss, leading: leader)
            case .alone: return try await carryOut(miss)
            case .follower(let follower):
                let outcome = await follower.wait(before: deadline)
                switch outcome {
                case .stored:
                    let found = await lookup(miss.facts)
                    // RFC 9111 §4.4: an invalidation closes the fence before it removes the
                    // response, so this check comes after the lookup.
                    guard !follower.isInvalidated else { continue }
                    return try await answer(miss, reason, found, deadline)
                case .lead(let leader): return try await goOn(miss, deadline, leading: leader)
                case .alone: return try await goOn(miss, deadline)
                case .cancelled: throw .cancelled
                case .timedOut:
                    let exchange = CacheExchange(
                        mode: .normal, isConditional: false, requestedAt: miss.now, respondedAt: clock.now())
                    return try standIn(
                        miss.found.selected, miss.facts, exchange, reason,
                        for: .timedOut(after: miss.request.timeout ?? .zero))
                }
            }
        }
    }

    /// Answers a follower from the store, or sends its request.
    private func answer(
        _ miss: Miss, _ reason: CacheStatus.Forward, _ found: Lookup, _ deadline: Deadline?
    ) async throws(TransportError) -> TransportResponse {
        let now = clock.now()
        let decision = policy.decide(
            miss.facts, .normal, found.selected?.facts, hasVariants: found.hasVariants, hasPart: found.part != nil,
            at: now)
        guard case .serve(let verdict) = decision, let selected = found.selected else {
            // The response was evicted, or was not stored. Another wait could go on for ever.
            var next = miss
            (next.decision, next.found, next.now) = (decision, found, now)
            return try await goOn(next, deadline)
        }
        if verdict == .whileRevalidating { revalidateInBackground(miss.request, miss.facts, selected) }
        // RFC 9211 §2.6: the request went forward as the leader's, whose response was reused.
        var status = CacheStatus(hit: false, forward: reason, detail: verdict.detail)
        status.collapsed = true
        return present(selected.facts, selected.body, miss.facts, at: now, .httpCache, status)
    }

    /// Sends the request of a former follower, with the rest of its time.
    private func goOn(
        _ miss: Miss, _ deadline: Deadline?, leading leader: CollapsedRequests.Leader? = nil
    ) async throws(TransportError) -> TransportResponse {
        var miss = miss
        // The wait is a part of the request's time.
        miss.request.timeout = deadline.map { max(.zero, $0.remaining()) }
        var answer = try await carryOut(miss, leading: leader)
        // RFC 9211 §2.6: it was collapsed, and a new request had to be made.
        if answer.provenance.cacheStatus?.forward != nil { answer.provenance.cacheStatus?.collapsed = false }
        return answer
    }

    /// Waits until `count` requests wait for equal ones.
    package func untilWaiting(_ count: Int) async { await collapsed.untilWaiting(count) }

    /// Returns whether a request could be answered with the response of a leader.
    ///
    /// - Parameter head: nil if the response is not stored.
    func usability(of head: StoredHead?, at now: WallTime) -> CollapsedRequests.Usability {
        guard let head else { return { _ in false } }
        let response = policy.facts(head)
        return { [policy] request in policy.mayAnswer(request, with: response, at: now) }
    }
}
