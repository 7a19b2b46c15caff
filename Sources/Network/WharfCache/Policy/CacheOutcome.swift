package import WharfCore
package import WharfStorage

/// The cache's reaction to an answer or a failure of the network.
package enum CacheOutcome: Sendable {
    /// The answer is passed to the reader. It is stored if there is a head.
    case answer(StoredHead?, replacesSelected: Bool)
    /// The selected response was confirmed by a 304; this is its new head.
    case confirmed(StoredHead, ConfirmationEffect)
    /// The 304 is about another version than the selected one: send the request again,
    /// unconditionally.
    case askAgain
    /// The selected response is returned in place of the failure.
    case fallBack(TransportError)
    case fail(TransportError)
}

/// The effect of a confirmation on the stored response.
package enum ConfirmationEffect: Sendable, Hashable {
    /// Its head is replaced in the store.
    case updated
    /// It stays unchanged, because the request says no-store.
    case left
    /// It is removed, because its new fields forbid storing it.
    case removed
}

/// The facts about one exchange with the network that the policy needs.
package struct CacheExchange: Sendable {
    package var mode: CacheMode
    /// Whether the cache made the request conditional.
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
    /// Decides after a failure of the network, before or during its answer.
    package func outcome(
        _ request: RequestFacts, _ selected: ResponseFacts?, _ exchange: CacheExchange, failure: TransportError
    ) -> CacheOutcome {
        // Neither failure is one of the network: the caller cancelled, or no network could send the
        // request.
        guard failure.code != .cancelled, failure.code != .invalidRequest else { return .fail(failure) }
        return standsIn(request, selected, exchange, .unreachable) ? .fallBack(failure) : .fail(failure)
    }

    /// Decides when the head of an answer has arrived.
    package func outcome(
        _ request: RequestFacts, _ selected: ResponseFacts?, _ exchange: CacheExchange, answer: HTTPResponse
    ) -> CacheOutcome {
        // A 304 to the client's own condition is the client's answer and confirms nothing here.
        if answer.status.code == 304, exchange.isConditional, let selected {
            return confirmation(request, selected, exchange, answer)
        }
        if answer.status.isServerFailure {
            if standsIn(request, selected, exchange, .serverFailed) {
                return .fallBack(.serverFailed(answer))
            }
            // A server failure never replaces a stored response, even one that may not be returned
            // in its place.
            guard selected == nil, exchange.mode != .bypass else { return .answer(nil, replacesSelected: false) }
        }
        guard Storability(request, answer, isShared: configuration.isShared) == .storable else {
            // A deleted resource must not reappear when the network fails next.
            let isGone = answer.status.code == 404 || answer.status.code == 410
            let isOutdated =
                selected.map { $0.isPartial && self.isOutdated($0, by: answer, at: exchange.respondedAt) } ?? false
            return .answer(nil, replacesSelected: (isGone || isOutdated) && !request.isHead)
        }
        return .answer(stored(answer, request, exchange), replacesSelected: false)
    }

    /// Returns whether the selected response is returned if the network gives no answer.
    package func standsIn(
        _ request: RequestFacts, _ selected: ResponseFacts?, _ exchange: CacheExchange, _ occasion: StaleUse.Cause
    ) -> Bool {
        guard let selected, exchange.mode != .bypass else { return false }
        if case .refused = verdict(selected, request, occasion, at: exchange.respondedAt) { return false }
        return true
    }

    /// Returns the head to store for an answer.
    package func stored(
        _ answer: HTTPResponse, _ request: RequestFacts, _ exchange: CacheExchange
    ) -> StoredHead {
        var kept = HTTPResponse(
            status: answer.status, headerFields: storableFields(answer, request))
        // RFC 9110 §6.6.1: an answer that is stored without Date gets the time of its arrival.
        if !kept.headerFields.contains(.date) { kept.headerFields[.date] = exchange.respondedAt.httpDate }
        return StoredHead(
            // RFC 9111 §4.1: these values of the request select the response later.
            response: kept, varying: VaryFields(kept.headerFields).values(in: request.fields),
            requestedAt: exchange.requestedAt, respondedAt: exchange.respondedAt
        )
    }

    private func storableFields(_ answer: HTTPResponse, _ request: RequestFacts) -> HTTPFields {
        answer.storableFields(isShared: configuration.isShared, keepsCookies: keepsCookies(of: request))
    }

    /// Returns whether stored responses to a request have `Set-Cookie`.
    package func keepsCookies(of request: RequestFacts) -> Bool {
        configuration.storesSetCookie || request.key.account != nil
    }

    private func confirmation(
        _ request: RequestFacts, _ selected: ResponseFacts, _ exchange: CacheExchange, _ notModified: HTTPResponse
    ) -> CacheOutcome {
        // RFC 9111 §4.3.4: a 304 with another entity tag is about another response.
        guard selected.validators.agree(with: notModified.headerFields) else { return .askAgain }
        var merged = selected.head.response
        merged.headerFields.freshen(with: storableFields(notModified, request))
        let head = stored(merged, request, exchange)
        switch Storability(request, merged, isShared: configuration.isShared) {
        case .storable: return .confirmed(head, .updated)
        // RFC 9111 §5.2.1.5: the request forbids storing any part of its answer, so the 304 is not
        // written either.
        case .refused(.requestNoStore): return .confirmed(head, .left)
        // The merged fields forbid storing, such as a new no-store.
        case .refused: return .confirmed(head, .removed)
        }
    }
}

extension HTTPFields {
    /// Updates stored fields with those of a 304 (RFC 9111 §3.2). Fields that describe the bytes of
    /// the body stay, because the body stays.
    mutating func freshen(with fields: HTTPFields) {
        // They give the age of the message that carries them. If the 304 has none, the old values
        // are void.
        self[.age] = nil
        self[.date] = nil
        // RFC 9111 §3.2 excludes Content-Length. The other two describe the stored bytes just as
        // well.
        let bodys: [HTTPField.Name] = [.contentLength, .contentEncoding, .contentRange]
        var seen: Set<HTTPField.Name> = []
        // Each name once: all lines of a field replace all stored lines.
        for field in fields where !bodys.contains(field.name) && seen.insert(field.name).inserted {
            self[fields: field.name] = fields[fields: field.name]
        }
    }
}

extension TransportError {
    fileprivate static func serverFailed(_ answer: HTTPResponse) -> TransportError {
        TransportError(
            .serverFailed,
            message: "the origin responded with status \(answer.status.code), so the stored response is used",
            response: answer
        )
    }
}
