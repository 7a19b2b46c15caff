internal import WharfCore

/// One observer of a key, and whether it waits for a refresh.
struct Watch<Value: Sendable> {
    typealias Observer = AsyncStream<Snapshot<Value>>.Continuation

    private let observer: Observer
    /// Without it a failed refresh takes the value away, as the policy networkOnly says.
    private let fallsBack: Bool
    /// How the network is being asked for this observer.
    private var refresh: CacheMode?

    init(observer: Observer, fallsBack: Bool) {
        self.observer = observer
        self.fallsBack = fallsBack
    }

    mutating func start(_ snapshot: Snapshot<Value>, _ refresh: CacheMode?) {
        self.refresh = refresh
        give(snapshot)
    }

    /// News. What another kind of read brought does not end this observer's own refresh.
    mutating func tell(_ merged: Snapshot<Value>, raw: Snapshot<Value>, _ mode: CacheMode) {
        if refresh == mode { refresh = nil }
        give(fallsBack ? merged : raw)
    }

    mutating func settle(_ merged: Snapshot<Value>, raw: Snapshot<Value>) {
        guard refresh != nil else { return }
        refresh = nil
        give(fallsBack ? merged : raw)
    }

    private func give(_ snapshot: Snapshot<Value>) {
        // Yielding only enqueues the reader; under the shelf's lock two pieces of news can't overtake each other.
        observer.yield(
            Snapshot(kept: snapshot.kept, error: snapshot.error, fetch: refresh == nil ? .idle : .refreshing)
        )
    }
}
