import WharfCore
import WharfStorage

// Each call costs one comparison if there is no handler: the event is built after it.
extension CachingTransport {
    /// Returns the event about a response that is being written; nil if there is no handler.
    func storageEvent(_ request: RequestFacts, _ answer: HTTPResponse) -> StorageEvent? {
        onEvent.map { StorageEvent($0, request.target.shown, status: answer.status.code) }
    }

    /// Reports an answer that the policy does not store.
    func reportRefusal(_ request: RequestFacts, _ answer: HTTPResponse) {
        guard onEvent != nil else { return }
        let reason: CacheEvent.NotStoredReason
        switch Storability(request, answer, isShared: policy.configuration.isShared) {
        // The lifetime is not the reason: any answer without one but a failure would be stored by
        // its status or its fields.
        case .refused(.noLifetime) where answer.status.isServerFailure: reason = .serverFailure
        case .refused(let refusal): reason = .init(refusal)
        // A failure of the server replaces no stored response, even if its fields permit storing
        // it.
        case .storable: reason = .serverFailure
        }
        storageEvent(request, answer)?.end(reason)
    }

    /// Reports a response or a head that is not stored, although the policy permits it.
    func reportNotStored(_ reason: CacheEvent.NotStoredReason, _ request: RequestFacts, _ head: StoredHead) {
        storageEvent(request, head.response)?.end(reason)
    }

    func reportRemoval(_ target: String, _ reason: CacheEvent.RemovalReason) {
        onEvent?(CacheEvent(.removed(reason), target: CacheEvent.shown(target)))
    }

    /// Reports the end of a revalidation in the background.
    func reportBackground(_ answer: TransportResponse, _ request: RequestFacts) {
        guard let onEvent else { return }
        let status = answer.provenance.cacheStatus
        let result: CacheEvent.RevalidationResult =
            answer.provenance.failure != nil
            ? .failed : answer.provenance.source == .revalidated ? .confirmed : .answered
        onEvent(
            CacheEvent(
                .revalidatedInBackground(result), target: request.target.shown, status: answer.head.status.code,
                failure: answer.provenance.failure?.code
            ).adding(forward: status?.forward, forwardStatus: status?.forwardStatus))
    }

    /// Reports the failure of a revalidation in the background.
    func reportBackground(_ error: TransportError, _ request: RequestFacts) {
        onEvent?(
            CacheEvent(.revalidatedInBackground(.failed), target: request.target.shown, failure: error.code)
                .adding(forward: .stale, forwardStatus: error.response?.status.code))
    }
}
