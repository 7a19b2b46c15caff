import WharfCore

extension CachingTransport {
    /// What is kept, with the failure beside it; or the failure, where nothing kept may stand in.
    func standIn(
        _ selected: Selected?, _ request: RequestFacts, _ exchange: CacheExchange, _ reason: CacheStatus.Forward,
        for failure: TransportError
    ) throws(TransportError) -> TransportResponse {
        // A server's failure has passed the policy already, under its own rules.
        let outcome: CacheOutcome =
            failure.code == .serverFailed
            ? .fallBack(failure) : policy.outcome(request, selected?.facts, exchange, failure: failure)
        guard case .fallBack = outcome, let selected else { throw failure }
        let status = CacheStatus(
            hit: true, forward: reason, forwardStatus: failure.response?.status.code, detail: "STALE-ON-ERROR"
        )
        return present(
            selected.facts, selected.body, request, at: exchange.respondedAt, .httpCache, failure: failure, status
        )
    }
}
