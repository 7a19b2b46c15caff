package import WharfCore

/// What to do with what the network gave.
package enum CacheOutcome: Sendable {
    /// The answer goes on to the reader, and is kept under this head when there is one.
    case answer(StoredHead?, replacesSelected: Bool)
    /// The selected response was confirmed; this is its head now.
    case confirmed(StoredHead, Keeping)
    /// A 304 about another version than the one that was asked for: ask again, without conditions.
    case askAgain
    /// The selected response stands in.
    case fallBack(TransportError)
    case fail(TransportError)
}

/// What becomes of a stored response that was confirmed.
package enum Keeping: Sendable, Hashable {
    case updated
    /// The request says no-store, so it changes nothing that is stored.
    case left
    /// With its new fields it may not be kept any longer.
    case removed
}

/// One exchange with the network, as far as the policy is concerned.
package struct CacheExchange: Sendable {
    package var mode: CacheMode
    /// The request was made conditional by the cache.
    package var isConditional: Bool
    package var requestedAt: WallTime
    package var respondedAt: WallTime

    package init(mode: CacheMode, isConditional: Bool, requestedAt: WallTime, respondedAt: WallTime) {
        self.mode = mode
        self.isConditional = isConditional
        self.requestedAt = requestedAt
        self.respondedAt = respondedAt
    }
}

extension CachePolicy {
    /// After the network failed, before or in the middle of its answer.
    package func outcome(
        _ request: RequestFacts, _ selected: ResponseFacts?, _ exchange: CacheExchange, failure: TransportError
    ) -> CacheOutcome {
        // Neither says anything about the network: the caller left, or the request can't be sent by
        // any.
        guard failure.code != .cancelled, failure.code != .invalidRequest else { return .fail(failure) }
        return standsIn(request, selected, exchange, .unreachable) ? .fallBack(failure) : .fail(failure)
    }

    /// After the head of an answer came.
    package func outcome(
        _ request: RequestFacts, _ selected: ResponseFacts?, _ exchange: CacheExchange, answer: HTTPResponse
    ) -> CacheOutcome {
        if answer.status.code == 304, exchange.isConditional, let selected {
            return confirmation(request, selected, exchange, answer)
        }
        if answer.status.isServerFailure {
            if standsIn(request, selected, exchange, .serverFailed) {
                return .fallBack(.serverFailed(answer))
            }
            // A failure never takes the place of what is kept, also where that may not stand in for
            // it.
            guard selected == nil, exchange.mode != .bypass else { return .answer(nil, replacesSelected: false) }
        }
        guard Storability(request, answer, isShared: configuration.isShared) == .storable else {
            // What is gone must not come back when the network fails next.
            let isGone = answer.status.code == 404 || answer.status.code == 410
            return .answer(nil, replacesSelected: isGone && !request.isHead)
        }
        return .answer(stored(answer, request, exchange), replacesSelected: false)
    }

    /// Whether the selected response answers when the network does not.
    package func standsIn(
        _ request: RequestFacts, _ selected: ResponseFacts?, _ exchange: CacheExchange, _ occasion: StaleUse.Occasion
    ) -> Bool {
        guard let selected, exchange.mode != .bypass else { return false }
        if case .refused = verdict(selected, request, occasion, at: exchange.respondedAt) { return false }
        return true
    }

    /// The head that is kept of an answer.
    package func stored(
        _ answer: HTTPResponse, _ request: RequestFacts, _ exchange: CacheExchange
    ) -> StoredHead {
        var kept = HTTPResponse(
            status: answer.status, headerFields: storableFields(answer, request))
        // RFC 9110 §6.6.1: an answer that is kept without Date gets the time when it came.
        if !kept.headerFields.contains(.date) { kept.headerFields[.date] = exchange.respondedAt.httpDate }
        return StoredHead(
            response: kept, varying: VaryFields(kept.headerFields).values(in: request.fields),
            requestedAt: exchange.requestedAt, respondedAt: exchange.respondedAt
        )
    }

    private func storableFields(_ answer: HTTPResponse, _ request: RequestFacts) -> HTTPFields {
        answer.storableFields(isShared: configuration.isShared, keepsCookies: request.key.account != nil)
    }

    private func confirmation(
        _ request: RequestFacts, _ selected: ResponseFacts, _ exchange: CacheExchange, _ notModified: HTTPResponse
    ) -> CacheOutcome {
        guard selected.validators.agree(with: notModified.headerFields) else { return .askAgain }
        var merged = selected.head.response
        merged.headerFields.freshen(with: storableFields(notModified, request))
        let head = stored(merged, request, exchange)
        switch Storability(request, merged, isShared: configuration.isShared) {
        case .storable: return .confirmed(head, .updated)
        case .refused(.requestNoStore): return .confirmed(head, .left)
        case .refused: return .confirmed(head, .removed)
        }
    }
}

extension HTTPFields {
    /// Takes the fields of a 304 (RFC 9111 §3.2). The body stays what it is, so what describes its
    /// bytes stays too.
    mutating func freshen(with fields: HTTPFields) {
        // They tell the age of the answer that carries them, so old ones are void when the 304 has
        // none.
        self[.age] = nil
        self[.date] = nil
        let bodys: [HTTPField.Name] = [.contentLength, .contentEncoding, .contentRange]
        var seen: Set<HTTPField.Name> = []
        for field in fields where !bodys.contains(field.name) && seen.insert(field.name).inserted {
            self[fields: field.name] = fields[fields: field.name]
        }
    }
}

extension TransportError {
    fileprivate static func serverFailed(_ answer: HTTPResponse) -> TransportError {
        TransportError(
            .serverFailed, message: "the origin answered \(answer.status.code), so what is kept stands in",
            response: answer
        )
    }
}
