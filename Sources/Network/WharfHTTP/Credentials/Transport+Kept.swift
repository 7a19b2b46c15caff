internal import WharfCore

extension Transport {
    /// Returns a stored response with the failure beside it, or throws the failure if there is
    /// none.
    func kept(
        for request: TransportRequest, beside failure: TransportError
    ) async throws(TransportError) -> TransportResponse {
        let isRead = request.head.method == .get || request.head.method == .head
        // An unsafe request has no stored answer. `bypass` forbids one, and after a cancellation
        // there is no reader.
        guard isRead, request.cache != .bypass, failure.code != .cancelled else { throw failure }
        var request = request
        request.cache = .storedOnly
        var answer: TransportResponse
        do {
            answer = try await send(request)
        } catch {
            if error.code == .cancelled { throw error }
            // The failure of the request is more useful than the reason for the cache miss.
            throw failure
        }
        // A stored 401 or 404 explains the failure no better than the failure itself.
        // A transport below without a cache may ignore `storedOnly`.
        guard answer.head.status.code < 400, answer.provenance.source != .network else { throw failure }
        answer.provenance.failure = failure
        return answer
    }
}
