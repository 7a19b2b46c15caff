internal import WharfCore

/// One observer of a key, and whether it waits for a refresh.
struct Watch<Value: Sendable> {
    typealias Observer = AsyncStream<Snapshot<Value>>.Continuation

    private enum Refresh: Equatable {
        case none
        case underWay(CacheMode)
        /// There is no network.
        case paused
    }

    private let observer: Observer
    let policy: ReadPolicy
    private var refresh = Refresh.none
    /// What it was told last.
    private var last: Snapshot<Value>?

    init(observer: Observer, policy: ReadPolicy) {
        self.observer = observer
        self.policy = policy
    }

    mutating func start(_ snapshot: Snapshot<Value>, _ mode: CacheMode?) {
        refresh = mode.map(Refresh.underWay) ?? .none
        // News that came while it was looked for is newer.
        give(last?.kept == nil ? snapshot : last ?? snapshot)
    }

    /// It knows already what there is, and wants to hear of news.
    mutating func begin(knowing snapshot: Snapshot<Value>) { last = snapshot }

    /// A refresh that it did not ask for begins.
    mutating func startRefresh(_ mode: CacheMode) {
        guard refresh != .underWay(mode) else { return }
        refresh = .underWay(mode)
        if let last { give(last) }
    }

    mutating func pause(_ snapshot: Snapshot<Value>) {
        refresh = .paused
        give(snapshot)
    }

    /// News. What another kind of read brought does not end this observer's own refresh.
    mutating func tell(_ merged: Snapshot<Value>, raw: Snapshot<Value>, _ mode: CacheMode?) {
        if let mode, refresh == .underWay(mode) { refresh = .none }
        give(answer(merged, raw))
    }

    /// News that answers nobody's question: the store has another value. Not for who asks the network alone, nor for who will be told
    /// what is known in a moment.
    mutating func tell(stored snapshot: Snapshot<Value>) {
        if policy.fallsBack, last != nil { give(snapshot) }
    }

    /// - Parameter isOld: something has come since the answer.
    mutating func settle(_ merged: Snapshot<Value>, raw: Snapshot<Value>, _ mode: CacheMode, isOld: Bool) {
        guard refresh == .underWay(mode) else { return }
        refresh = .none
        let answer = answer(merged, raw)
        // The answer to a later question came before it.
        let isLate = raw.error == nil && raw.kept?.asOf != merged.kept?.asOf
        let hasHeard = last?.kept != nil || last?.error != nil
        if isOld || isLate, hasHeard, let last { give(last) } else { give(answer) }
    }

    /// Who asks the network alone is not shown what stood in for another's answer.
    private func answer(_ merged: Snapshot<Value>, _ raw: Snapshot<Value>) -> Snapshot<Value> {
        if policy.fallsBack { return merged }
        return raw.error != nil && raw.kept?.isStored == true ? Snapshot(kept: nil, error: raw.error) : raw
    }

    /// How it wants the network to be asked when there is reason to; nil when what is kept is good enough for it.
    var refreshMode: CacheMode? {
        switch policy {
        case .cacheOnly, .cacheFirst: nil
        case .networkOnly: .bypass
        default: .reload
        }
    }

    var isPaused: Bool { refresh == .paused }

    func finish() { observer.finish() }

    private mutating func give(_ snapshot: Snapshot<Value>) {
        let fetch: FetchStatus =
            switch refresh {
            case .none: .idle
            case .underWay: .refreshing
            case .paused: .paused
            }
        last = snapshot
        // Yielding only enqueues the reader; under the shelf's lock two pieces of news can't overtake each other.
        observer.yield(Snapshot(kept: snapshot.kept, error: snapshot.error, fetch: fetch))
    }
}
