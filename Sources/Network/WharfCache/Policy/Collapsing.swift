package import WharfCore
internal import WharfPrimitives

extension CachePolicy {
    /// Returns whether a request may wait for the answer to an equal request (RFC 9111 §4).
    ///
    /// It may not if the answer could not be stored for it, or if it asks the origin itself.
    package func mayCollapse(_ request: RequestFacts, _ mode: CacheMode) -> Bool {
        // An equal request for a part is rare. `bypass` and `reload` ask for an answer that begins
        // now.
        guard mode == .normal, request.range == nil else { return false }
        guard let asked = request.cacheControl else { return true }
        // RFC 9111 §5.2.1.4 and §5.2.1.5. An answer that was stored for another request has an age,
        // so `max-age=0` refuses it (§5.2.1.1).
        return !asked.noCache && !asked.noStore && asked.maxAge != 0
    }

    /// Returns whether the answer to a request could be stored, so that others may wait for it.
    ///
    /// - Parameter conditions: the conditions that the cache adds.
    package func mayLead(_ request: RequestFacts, _ conditions: HTTPFields) -> Bool {
        // Without conditions of the cache, those of the client are sent. They may give a 304 about
        // the client's own version, which is not stored.
        !request.isHead && (!request.isConditional || !conditions.isEmpty)
    }

    /// Returns whether a response answers another request than its own, without use of the network.
    package func mayAnswer(_ request: RequestFacts, with response: ResponseFacts, at now: WallTime) -> Bool {
        // RFC 9111 §4.1.
        guard response.answers(request) else { return false }
        if case .serve = decide(request, .normal, response, hasVariants: true, hasPart: false, at: now) { return true }
        return false
    }
}
