import WharfCore
import WharfStorage

extension CachingTransport {
    /// The selected variant, with its body unless the request is HEAD.
    struct Selected: Sendable {
        let id: StoredResponse.ID
        let facts: ResponseFacts
        let body: StoredBody
    }

    /// The bytes of the selected variant that the store was asked for.
    struct StoredBody: Sendable {
        let stream: BodyStream
        let part: StoredPart

        static var empty: StoredBody { StoredBody(stream: .empty, part: .whole) }
    }

    /// A stored part (206), without its bytes.
    struct PartialEntry: Sendable {
        let id: StoredResponse.ID
        let facts: ResponseFacts
    }

    struct Lookup: Sendable {
        var selected: Selected?
        var hasVariants = false
        /// A stored part that lacks bytes of the request.
        var part: PartialEntry?
        var failure: StoreError?
    }

    func lookup(_ request: RequestFacts) async -> Lookup {
        let found: CacheLookup
        do {
            found = try await store.lookup(request.key) { [memo] variants in
                // HEAD needs no body.
                if request.isHead { return nil }
                guard let (index, facts) = memo.select(request, variants) else { return nil }
                let part = StoredPart(for: request, facts, length: variants[index].length)
                return CacheSelection(id: variants[index].id, part: part.positions)
            }
        } catch {
            report(error, "look up", request.key.target)
            return Lookup(failure: error)
        }
        // A body means that the store's closure selected a variant. If there is only one, the
        // selection need not be repeated.
        if found.variants.count == 1, let body = found.body {
            return Lookup(selected: selected(found, 0, memo.facts(found.variants, 0), body, request), hasVariants: true)
        }
        guard let (index, facts) = memo.select(request, found.variants) else {
            let part = memo.part(request, found.variants)
                .map { PartialEntry(id: found.variants[$0.index].id, facts: $0.facts) }
            return Lookup(hasVariants: !found.variants.isEmpty, part: part)
        }
        // The body is missing because it was damaged. The store has removed and reported it.
        guard let body = request.isHead ? .empty : found.body else { return Lookup() }
        return Lookup(selected: selected(found, index, facts, body, request), hasVariants: true)
    }

    private func selected(
        _ found: CacheLookup, _ index: Int, _ facts: ResponseFacts, _ body: BodyStream, _ request: RequestFacts
    ) -> Selected {
        let variant = found.variants[index]
        // The store's closure computed it from the same facts.
        let part = StoredPart(for: request, facts, length: variant.length)
        return Selected(id: variant.id, facts: facts, body: StoredBody(stream: body, part: part))
    }

    /// Returns a stored response without use of the network.
    func serve(
        _ selected: Selected, _ request: RequestFacts, _ verdict: StaleUse.Decision, at now: WallTime
    ) -> TransportResponse {
        let status = CacheStatus(hit: true, detail: verdict.detail)
        return present(selected.facts, selected.body, request, at: now, .httpCache, status)
    }

    /// Makes an answer of a stored response.
    ///
    /// It is a 304 if the client has that version already (RFC 9111 §4.3.2), and a part if the
    /// client asks for a range.
    func present(
        _ facts: ResponseFacts, _ body: StoredBody, _ request: RequestFacts, at now: WallTime, _ source: Source,
        failure: TransportError? = nil, _ status: CacheStatus
    ) -> TransportResponse {
        var head = facts.served(at: now)
        // Stored while `storesSetCookie` was on: they are those of another client.
        if facts.hasCookies, !policy.keepsCookies(of: request) { head.removeCookies() }
        let provenance = facts.provenance(source, at: now, failure: failure, status: status)
        if request.isConditional, head.status.code == 200 || facts.isPartial,
            facts.validators.satisfy(ifNoneMatch: request.ifNoneMatch, ifModifiedSince: request.ifModifiedSince)
        {
            return TransportResponse(head: head.asNotModified, body: .empty, provenance: provenance)
        }
        return TransportResponse(head: body.part.head(of: head), body: body.stream, provenance: provenance)
    }

    /// Returns the answer to `only-if-cached` without a usable response (RFC 9111 §5.2.1.7).
    func gatewayTimeout(at now: WallTime) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .gatewayTimeout, headerFields: [.contentLength: "0"]), body: .empty,
            provenance: Provenance(
                source: .httpCache, asOf: now, cacheStatus: CacheStatus(hit: false, detail: CacheStatus.onlyIfCached)
            )
        )
    }
}

extension HTTPResponse {
    mutating func removeCookies() {
        for name in HTTPField.Name.ofCookies { headerFields[name] = nil }
    }

    /// The same response without its content and the fields that describe it (RFC 9110 §15.4.5).
    fileprivate var asNotModified: HTTPResponse {
        var response = self
        response.status = .notModified
        for name in [HTTPField.Name.contentLength, .contentRange, .contentType, .contentEncoding, .contentLanguage] {
            response.headerFields[name] = nil
        }
        return response
    }
}
