import WharfCore

extension Snapshot {
    /// The same as from a service without entity tags.
    var untagged: Snapshot {
        guard let kept else { return self }
        return Snapshot(kept: .init(value: kept.value, source: kept.source, asOf: kept.asOf), error: error)
    }
}
