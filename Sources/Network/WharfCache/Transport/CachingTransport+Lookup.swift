import WharfCore

extension CachingTransport {
    /// The selected variant, with its body unless the request is HEAD.
    struct Selected: Sendable {
        let id: StoredResponse.ID
        let facts: ResponseFacts
        let body: BodyStream
    }

    struct Lookup: Sendable {
        var selected: Selected?
        var hasVariants = false
        var failure: StoreError?
    }

    func lookup(_ request: RequestFacts) async -> Lookup {
        let found: CacheLookup
        do {
            found = try await store.lookup(request.key) { [memo] variants in
                // HEAD needs no body.
                if request.isHead { return nil }
                return memo.select(request, variants).map { variants[$0.index].id }
            }
        } catch {
            report(error, "look up", request.key.target)
            return Lookup(failure: error)
        }
        // A body means that the store's closure selected a variant. If there is only one, the
        // selection need not be repeated.
        if found.variants.count == 1, let body = found.body {
            let selected = Selected(id: found.variants[0].id, facts: memo.facts(found.variants, 0), body: body)
            return Lookup(selected: selected, hasVariants: true)
        }
        guard let (index, facts) = memo.select(request, found.variants) else {
            return Lookup(hasVariants: !found.variants.isEmpty)
        }
        // The body is missing because it was damaged. The store has removed and reported it.
        guard let body = request.isHead ? .empty : found.body else { return Lookup() }
        return Lookup(selected: Selected(id: found.variants[index].id, facts: facts, body: body), hasVariants: true)
    }

    /// Returns a stored response without use of the network.
    func serve(
        _ selected: Selected, _ request: RequestFacts, isFresh: Bool, at now: WallTime
    ) -> TransportResponse {
        let status = CacheStatus(hit: true, detail: isFresh ? nil : "STALE")
        return present(selected.facts, selected.body, request, at: now, .httpCache, status)
    }

    /// Makes an answer of a stored response. It is a 304 if the client has that version already
    /// (RFC 9111 §4.3.2).
    func present(
        _ facts: ResponseFacts, _ body: BodyStream, _ request: RequestFacts, at now: WallTime, _ source: Source,
        failure: TransportError? = nil, _ status: CacheStatus
    ) -> TransportResponse {
        let head = facts.served(at: now)
        let provenance = facts.provenance(source, at: now, failure: failure, status: status)
        if request.isConditional, head.status.code == 200,
            facts.validators.satisfy(ifNoneMatch: request.ifNoneMatch, ifModifiedSince: request.ifModifiedSince)
        {
            return TransportResponse(head: head.asNotModified, body: .empty, provenance: provenance)
        }
        return TransportResponse(head: head, body: body, provenance: provenance)
    }

    /// Returns the answer to `only-if-cached` without a usable response (RFC 9111 §5.2.1.7).
    func gatewayTimeout(at now: WallTime) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .gatewayTimeout, headerFields: [.contentLength: "0"]), body: .empty,
            provenance: Provenance(
                source: .httpCache, asOf: now, cacheStatus: CacheStatus(hit: false, detail: "ONLY-IF-CACHED")
            )
        )
    }
}

extension HTTPResponse {
    /// The same response without its content and the fields that describe it (RFC 9110 §15.4.5).
    fileprivate var asNotModified: HTTPResponse {
        var response = self
        response.status = .notModified
        for name in [HTTPField.Name.contentLength, .contentType, .contentEncoding, .contentLanguage] {
            response.headerFields[name] = nil
        }
        return response
    }
}
