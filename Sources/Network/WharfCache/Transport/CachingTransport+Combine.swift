import WharfCore
import WharfStorage

extension CachingTransport {
    /// Begins to store a partial response (206), with the stored bytes of the same version beside
    /// it (RFC 9111 §3.4).
    ///
    /// - Returns: nil if it is not stored, or the stored response has its bytes already.
    func beginPart(
        _ head: StoredHead, _ request: RequestFacts, _ inFlight: InvalidationFence.InFlightRequest
    ) async -> (any CacheWriter)? {
        // Looked up now: since the request was sent, another one may have stored or removed parts.
        let combination: @Sendable ([StoredResponse]) -> (id: StoredResponse.ID?, Combination) = { [policy, memo] in
            // A commit replaces the variant with the same fields.
            let variants = $0
            guard let index = variants.firstIndex(where: { $0.head.varying == head.varying }) else {
                return (nil, policy.combination(head, for: request, with: nil, length: 0))
            }
            return (
                variants[index].id,
                policy.combination(
                    head, for: request, with: memo.facts(variants, index), length: variants[index].length)
            )
        }
        do {
            let found = try await store.lookup(request.key) { variants in
                // Bytes that are not combined are not read.
                guard case (let id?, .combine) = combination(variants) else { return nil }
                return CacheSelection(id: id)
            }
            switch combination(found.variants) {
            case (_, .discard):
                reportNotStored(.part, request, head)
                return nil
            case (_, .store(let head)): return try await store.begin(request.key, head)
            case (let id, .update(let head)):
                // As for a 304: an older response in flight must not replace this one.
                guard let id, inFlight.overtake() else {
                    reportNotStored(.outdated, request, head)
                    return nil
                }
                memo.forget(id)
                try await store.update(id, under: request.key, to: head)
                reportNotStored(.redundant, request, head)
                return nil
            case (_, .combine(let head, let bytes)):
                // The stored bytes were damaged. The store has removed and reported them.
                guard let body = found.body else {
                    reportNotStored(.storeFailed, request, head)
                    return nil
                }
                return CombiningWriter(try await store.begin(request.key, head), body, bytes)
            }
        } catch {
            report(error, "keep", request.key.target)
            reportNotStored(.init(error), request, head)
            return nil
        }
    }
}
