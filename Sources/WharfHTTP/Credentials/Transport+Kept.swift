internal import WharfCore

extension Transport {
    /// What is kept below, with the failure beside it; or the failure, where nothing kept may stand
    /// in.
    func kept(
        for request: TransportRequest, beside failure: TransportError
    ) async throws(TransportError) -> TransportResponse {
        let isRead = request.head.method == .get || request.head.method == .head
        guard isRead, request.cache != .bypass, failure.code != .cancelled else { throw failure }
        var request = request
        request.cache = .storedOnly
        var answer: TransportResponse
        do {
            answer = try await send(request)
        } catch {
            if error.code == .cancelled { throw error }
            // Why nothing kept could stand in matters less than why no answer came.
            throw failure
        }
        // A kept 401 or 404 explains the failure no better than the failure itself.
        guard answer.head.status.code < 400, answer.provenance.source != .network else { throw failure }
        answer.provenance.failure = failure
        return answer
    }
}
