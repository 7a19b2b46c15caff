#if canImport(Combine) || OpenCombine
internal import WharfCore

/// Takes snapshots apart: values, and the failure that ends them.
struct ValuesThenFailure<Value: Sendable> {
    private var last: Snapshot<Value>.Kept?

    mutating func take(_ snapshot: Snapshot<Value>) -> Pulled<Value, ReadFailure> {
        // A refresh that is still under way has not failed: the error is of what is kept.
        let failure = snapshot.fetch == .refreshing ? nil : snapshot.error
        guard let kept = snapshot.kept else { return Pulled(completion: failure.map { .failure($0) }) }
        // An answer is always news. A refresh that begins or fails repeats what was known, unless
        // this reader missed that.
        let repeats = snapshot.fetch != .idle || snapshot.error != nil
        let isKnown = repeats && last?.hasProvenance(of: kept) == true
        last = kept
        return Pulled(value: isKnown ? nil : kept.value, completion: failure.map { .failure($0) })
    }
}

extension Snapshot.Kept {
    /// Not the source: what came from the network is in memory a moment later.
    fileprivate func hasProvenance(of other: Self) -> Bool {
        asOf == other.asOf && staleAt == other.staleAt && response == other.response && remote == other.remote
            && revision == other.revision
    }
}
#endif
