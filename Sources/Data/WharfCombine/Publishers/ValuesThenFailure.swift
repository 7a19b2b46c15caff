#if canImport(Combine) || OpenCombine
internal import WharfCore

/// Splits snapshots into values and the failure that ends them.
struct ValuesThenFailure<Value: Sendable> {
    private var last: Snapshot<Value>.Kept?

    mutating func take(_ snapshot: Snapshot<Value>) -> PullResult<Value, ReadFailure> {
        // An ongoing refresh has not failed: the error is an older one of the stored value.
        let failure = snapshot.fetch == .refreshing ? nil : snapshot.error
        guard let kept = snapshot.kept else { return PullResult(completion: failure.map { .failure($0) }) }
        // A new answer is always delivered. A snapshot of a refresh that begins or fails repeats
        // the known value. It is delivered only if this reader missed that value.
        let repeats = snapshot.fetch != .idle || snapshot.error != nil
        let isKnown = repeats && last?.hasProvenance(of: kept) == true
        last = kept
        return PullResult(value: isKnown ? nil : kept.value, completion: failure.map { .failure($0) })
    }
}

extension Snapshot.Kept {
    /// Returns whether the provenance is equal, except for the source.
    ///
    /// A value from the network is served from memory a moment later.
    fileprivate func hasProvenance(of other: Self) -> Bool {
        asOf == other.asOf && staleAt == other.staleAt && response == other.response && remote == other.remote
            && revision == other.revision
    }
}
#endif
