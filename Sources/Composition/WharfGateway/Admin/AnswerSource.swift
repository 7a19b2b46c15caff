internal import WharfCore

/// The part that the cache had in an answer, as a label of the metrics.
enum AnswerSource: String, Sendable, CaseIterable {
    /// The cache, without the origin.
    case hit
    /// The cache, after the origin had confirmed its answer.
    case revalidated
    /// The cache, in place of a failed request.
    case fallback
    /// The request of another client, which was in flight.
    case collapsed
    /// The origin; no stored answer was usable.
    case miss
    /// The origin; the request was none for a cache.
    case bypass
    /// A transport without a cache.
    case uncached
    /// The gateway; neither the origin nor the cache answered.
    case failed
    /// The gateway; the request was not passed on.
    case refused

    init(_ provenance: Provenance) {
        guard let status = provenance.cacheStatus else {
            self = .uncached
            return
        }
        if status.hit {
            // A stored answer in place of a failed request counts as a hit too.
            self = provenance.failure == nil && status.forward == nil ? .hit : .fallback
        } else if status.collapsed == true {
            self = .collapsed
        } else if provenance.source == .revalidated {
            self = .revalidated
        } else {
            switch status.forward {
            case .bypass, .method: self = .bypass
            // The cache's own 504 (RFC 9111 §5.2.1.7).
            case nil: self = .failed
            default: self = .miss
            }
        }
    }

    init(_ refusal: Refusal) { self = refusal.failure == nil ? .refused : .failed }
}
