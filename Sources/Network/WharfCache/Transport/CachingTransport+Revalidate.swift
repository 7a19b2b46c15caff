import WharfCore
import WharfStorage

extension CachingTransport {
    /// Sends a request to the network, and handles the answer as the policy decides. The request is
    /// conditional if `conditions` are given. If a part is stored, it asks for the other bytes.
    ///
    /// - Parameters:
    ///   - selected: the response that a 304 confirms, or that replaces a failure.
    ///   - part: a stored part that lacks bytes of the request. It is removed if the answer is of
    ///     another version.
    ///   - leader: given if other requests wait for this one. It is ended on each path.
    func forward(
        _ request: TransportRequest, _ facts: RequestFacts, _ selected: Selected?, _ conditions: HTTPFields,
        _ reason: CacheStatus.Forward, replacing part: PartialEntry? = nil,
        leading leader: CollapsedRequests.Leader? = nil
    ) async throws(TransportError) -> TransportResponse {
        // The request is registered before it is sent. An invalidation during the request closes
        // it.
        let inFlight = leader?.inFlight ?? fence.enter(facts.key)
        var outgoing = request
        if !conditions.isEmpty {
            // The client's conditions would give a 304 about its own version, which the cache can't
            // store. `present` answers them.
            outgoing.head.headerFields[.ifNoneMatch] = nil
            outgoing.head.headerFields[.ifModifiedSince] = nil
            for field in conditions { outgoing.head.headerFields.append(field) }
        }
        let completion = part.flatMap { policy.completion(of: $0.facts, for: facts) }
        for field in completion?.fields ?? [:] { outgoing.head.headerFields.append(field) }
        var exchange = CacheExchange(
            mode: request.cache, isConditional: !conditions.isEmpty, requestedAt: clock.now(), respondedAt: .distantPast
        )
        var answer: TransportResponse
        do {
            answer = try await transport.send(outgoing)
        } catch {
            leader?.fail(error)
            exchange.respondedAt = clock.now()
            return try standIn(selected, facts, exchange, reason, for: error)
        }
        exchange.respondedAt = clock.now()
        let forwardStatus = answer.head.status.code
        if let part, let completion, forwardStatus == 206 || forwardStatus == 416 {
            guard let whole = await complete(part, by: answer, completion, facts, exchange) else {
                // The part is of another version, or the origin does not keep to ranges. The client
                // asked for the whole, so the request goes again without a range. The body is
                // released before, because that request may need its connection.
                answer.body = .empty
                await remove(part.id, under: facts.key, because: .superseded)
                return try await forward(request, facts, selected, conditions, reason, leading: leader)
            }
            answer = whole
        }

        switch policy.outcome(facts, selected?.facts, exchange, answer: answer.head) {
        case .answer(let storable, let replacesSelected):
            // A server failure replaces no stored part.
            let head = part != nil && answer.head.status.isServerFailure ? nil : storable
            // Removed even if the body breaks off below: the deleted resource must not answer the
            // next read.
            if replacesSelected, let selected { await remove(selected.id, under: facts.key, because: .superseded) }
            if let part, !facts.isHead,
                policy.isOutdated(part.facts, by: answer.head, at: exchange.respondedAt)
            {
                await remove(part.id, under: facts.key, because: .superseded)
            }
            return try await deliver(
                answer, as: head, facts, selected, exchange, reason, forwardStatus, inFlight, leading: leader)
        case .confirmed(let head, let keeping):
            guard let selected else { return answer }
            // A response that is removed below answers no follower.
            let isAwaited =
                keeping == .updated
                && leader?.answer(isLasting: true, usability(of: head, at: exchange.respondedAt)) ?? false
            if keeping != .updated { leader?.answerUnusable(isLasting: true) }
            // Before the update: an older response in flight must not replace the confirmed one.
            if keeping == .updated { inFlight.overtake() }
            var confirmed = await confirm(selected, head, keeping, facts, exchange, reason)
            if isAwaited { leader?.end() }
            guard !policy.keepsCookies(of: facts) else { return confirmed }
            // The stored response has no cookies. Those of the 304 are for this client.
            for field in answer.head.headerFields where HTTPField.Name.ofCookies.contains(field.name) {
                confirmed.head.headerFields.append(field)
            }
            return confirmed
        case .askAgain:
            // RFC 9111 §4.3.3: the 304 names another version, so the request goes again without
            // conditions. That answer can't be a confirmation, so this recursion ends.
            return try await forward(request, facts, selected, [:], reason, leading: leader)
        case .fallBack(let failure), .fail(let failure):
            // An error status is an answer that is not stored, and each request asks for its own.
            leader?.answerUnusable(isLasting: false)
            return try standIn(selected, facts, exchange, reason, for: failure)
        }
    }

    private func confirm(
        _ selected: Selected, _ head: StoredHead, _ keeping: ConfirmationEffect, _ request: RequestFacts,
        _ exchange: CacheExchange, _ reason: CacheStatus.Forward
    ) async -> TransportResponse {
        switch keeping {
        case .updated:
            // The head changes under the same id.
            memo.forget(selected.id)
            do {
                try await store.update(selected.id, under: request.key, to: head)
            } catch {
                // A failed update leaves the old head. The next read revalidates again.
                report(error, "update", request.key.target)
                reportNotStored(.init(error), request, head)
            }
        case .removed: await remove(selected.id, under: request.key, because: .unstorable)
        case .left: break
        }
        let status = CacheStatus(hit: false, forward: reason, forwardStatus: 304, stored: keeping == .updated)
        // The new head is served even if it could not be stored.
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
