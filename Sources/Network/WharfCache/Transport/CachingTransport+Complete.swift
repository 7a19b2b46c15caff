import WharfCore
import WharfStorage

extension CachingTransport {
    /// Makes a complete answer of a stored part and the missing bytes from the origin (RFC 9111
    /// §3.4).
    ///
    /// - Returns: nil if the origin sent other bytes or another version, or the part is gone.
    func complete(
        _ part: PartialEntry, by answer: TransportResponse, _ completion: Completion, _ request: RequestFacts,
        _ exchange: CacheExchange
    ) async -> TransportResponse? {
        let head = policy.stored(answer.head, request, exchange)
        guard var whole = policy.completed(part.facts, by: head, completion) else { return nil }
        if !policy.keepsCookies(of: request) {
            // Stored while `storesSetCookie` was on: they are those of another client.
            whole.removeCookies()
            // Those of the answer are for this client.
            for field in answer.head.headerFields where HTTPField.Name.ofCookies.contains(field.name) {
                whole.headerFields.append(field)
            }
        }
        let stored: BodyStream?
        do {
            // The body of an id never changes, so it is still that of the part's version.
            let found = try await store.lookup(request.key) { variants in
                variants.contains { $0.id == part.id } ? CacheSelection(id: part.id) : nil
            }
            stored = found.body
        } catch {
            report(error, "look up", request.key.target)
            return nil
        }
        guard let stored else { return nil }
        let isStoredFirst = completion.missing.bytes.lowerBound > 0
        let missing = Int64(completion.missing.bytes.count)
        let kept = completion.missing.length - missing
        // The part would make the next answer invalid too.
        let discard: @Sendable () async -> Void = { [self, key = request.key, id = part.id] in
            await remove(id, under: key, because: .invalid)
        }
        let body =
            isStoredFirst
            ? JoinedBody(stored, of: kept, answer.body, of: missing, onRejection: discard)
            : JoinedBody(answer.body, of: missing, stored, of: kept, onRejection: discard)
        var completed = answer
        completed.head = whole
        completed.body = BodyStream(body, expectedLength: completion.missing.length)
        return completed
    }
}
