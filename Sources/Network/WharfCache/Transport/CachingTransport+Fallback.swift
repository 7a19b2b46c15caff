import WharfCore

extension CachingTransport {
    /// Returns the selected response with the failure beside it, or throws the failure if that is
    /// not allowed.
    func standIn(
        _ selected: Selected?, _ request: RequestFacts, _ exchange: CacheExchange, _ reason: CacheStatus.Forward,
        for failure: TransportError
    ) throws(TransportError) -> TransportResponse {
        // A failure of the server was already checked by the policy, under its own rules.
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
