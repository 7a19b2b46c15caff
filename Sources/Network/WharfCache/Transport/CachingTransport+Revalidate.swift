import WharfCore

extension CachingTransport {
    /// Sends a request to the network, and handles the answer as the policy decides. The request is
    /// conditional if `conditions` are given.
    ///
    /// - Parameter selected: the response that a 304 confirms, or that replaces a failure.
    func forward(
        _ request: TransportRequest, _ facts: RequestFacts, _ selected: Selected?, _ conditions: HTTPFields,
        _ reason: CacheStatus.Forward
    ) async throws(TransportError) -> TransportResponse {
        let passage = fence.enter(facts.target.text, facts.key.account)
        var outgoing = request
        if !conditions.isEmpty {
            outgoing.head.headerFields[.ifNoneMatch] = nil
            outgoing.head.headerFields[.ifModifiedSince] = nil
            for field in conditions { outgoing.head.headerFields.append(field) }
        }
        var exchange = CacheExchange(
            mode: request.cache, isConditional: !conditions.isEmpty, requestedAt: clock.now(), respondedAt: .distantPast
        )
        let answer: TransportResponse
        do {
            answer = try await transport.send(outgoing)
        } catch {
            exchange.respondedAt = clock.now()
            return try standIn(selected, facts, exchange, reason, for: error)
        }
        exchange.respondedAt = clock.now()

        switch policy.outcome(facts, selected?.facts, exchange, answer: answer.head) {
        case .answer(let head, let replacesSelected):
            if replacesSelected, let selected { await remove(selected.id, under: facts.key) }
            return try await deliver(answer, as: head, facts, selected, exchange, reason, passage)
        case .confirmed(let head, let keeping):
            guard let selected else { return answer }
            if keeping == .updated { passage.overtake() }
            var confirmed = await confirm(selected, head, keeping, facts, exchange, reason)
            guard facts.key.account == nil else { return confirmed }
            // Without an account, the stored response has no cookies. Those of the 304 are for this
            // client.
            for field in answer.head.headerFields where HTTPField.Name.ofCookies.contains(field.name) {
                confirmed.head.headerFields.append(field)
            }
            return confirmed
        case .askAgain:
            return try await forward(request, facts, selected, [:], reason)
        case .fallBack(let failure), .fail(let failure):
            return try standIn(selected, facts, exchange, reason, for: failure)
        }
    }

    private func confirm(
        _ selected: Selected, _ head: StoredHead, _ keeping: Keeping, _ request: RequestFacts,
        _ exchange: CacheExchange, _ reason: CacheStatus.Forward
    ) async -> TransportResponse {
        switch keeping {
        case .updated:
            memo.forget(selected.id)
            do {
                try await store.update(selected.id, under: request.key, to: head)
            } catch {
                report(error, "update", request.key.target)
            }
        case .removed: await remove(selected.id, under: request.key)
        case .left: break
        }
        let status = CacheStatus(hit: false, forward: reason, forwardStatus: 304, stored: keeping == .updated)
        return present(policy.facts(head), selected.body, request, at: exchange.respondedAt, .revalidated, status)
    }

    /// Dates an answer of the network. An answer of another source knows its own age.
    func date(
        _ answer: inout TransportResponse, by head: HTTPResponse, _ exchange: CacheExchange, _ status: CacheStatus
    ) {
        answer.provenance.cacheStatus = status
        guard answer.provenance.source == .network else { return }
        let facts = policy.facts(
            StoredHead(response: head, requestedAt: exchange.requestedAt, respondedAt: exchange.respondedAt)
        )
        answer.provenance = facts.provenance(.network, at: exchange.respondedAt, status: status)
    }
}
