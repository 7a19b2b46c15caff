internal import WharfCore

/// One observer of a key, and whether it waits for a refresh.
struct Watch<Value: Sendable> {
    typealias Observer = AsyncStream<Snapshot<Value>>.Continuation

    private enum Refresh: Equatable {
        case none
        /// Since when, in the order of requests: the answer to an earlier request does not end it.
        case underWay(CacheMode, since: UInt64)
        /// There is no network.
        case paused
    }

    private let observer: Observer
    let policy: ReadPolicy
    private var refresh = Refresh.none
    /// The last snapshot that it was told.
    private var last: Snapshot<Value>?
    /// The last value that it was told, also if a failure came after it.
    private var told: Snapshot<Value>.Kept?

    init(observer: Observer, policy: ReadPolicy) {
        self.observer = observer
        self.policy = policy
    }

    mutating func start(_ snapshot: Snapshot<Value>, _ mode: CacheMode?, at now: UInt64) {
        refresh = mode.map { .underWay($0, since: now) } ?? .none
        give(newest(snapshot))
    }

    /// It knows already what there is, and wants to hear of news.
    mutating func begin(knowing snapshot: Snapshot<Value>) { last = snapshot }

    /// A refresh that it did not ask for begins.
    mutating func startRefresh(_ mode: CacheMode, at now: UInt64) {
        guard !isUnderWay(mode) else { return }
        refresh = .underWay(mode, since: now)
        if let last { give(last) }
    }

    private func isUnderWay(_ mode: CacheMode, before moment: UInt64 = .max) -> Bool {
        if case .underWay(mode, let since) = refresh { since < moment } else { false }
    }

    mutating func pause(_ snapshot: Snapshot<Value>) {
        refresh = .paused
        give(newest(snapshot))
    }

    /// News. What another kind of read brought does not end this observer's own refresh.
    mutating func tell(_ merged: Snapshot<Value>, raw: Snapshot<Value>, _ mode: CacheMode?) {
        if let mode, isUnderWay(mode) { refresh = .none }
        give(answer(merged, raw))
    }

    /// The store has another value, which answers no request.
    ///
    /// `networkOnly` observers are not told. An observer without a first snapshot gets the value with that.
    mutating func tell(stored snapshot: Snapshot<Value>) {
        if policy.fallsBack, last != nil { give(snapshot) }
    }

    /// - Parameters:
    ///   - landed: when the answer was taken in.
    ///   - newer: what has come since the answer.
    mutating func settle(
        _ merged: Snapshot<Value>, raw: Snapshot<Value>, _ mode: CacheMode, landed: UInt64,
        newer: Snapshot<Value>.Kept?
    ) {
        guard isUnderWay(mode, before: landed) else { return }
        refresh = .none
        guard policy.fallsBack else { return settleAlone(merged, raw, isOld: newer != nil) }
        give(newer.map { Snapshot(kept: $0, error: merged.error) } ?? merged)
    }

    /// A `networkOnly` observer keeps what it was told of a later answer, or is told of that now.
    ///
    /// It may have joined a request after the answer to a later one had landed, so it was not told of
    /// that one. If it were given its own late answer, the next answer could be a step back: the cache
    /// orders by requests, and has never taken the late one.
    private mutating func settleAlone(_ merged: Snapshot<Value>, _ raw: Snapshot<Value>, isOld: Bool) {
        let isLate = raw.error == nil && raw.kept?.asOf != merged.kept?.asOf
        if isOld || isLate, let told { return give(Snapshot(kept: told)) }
        give(isLate ? merged : answer(merged, raw))
    }

    /// News that came while the first value was looked for stays.
    private func newest(_ snapshot: Snapshot<Value>) -> Snapshot<Value> {
        guard let heard = last?.kept else { return snapshot }
        if let kept = snapshot.kept, kept.asOf > heard.asOf { return snapshot }
        return Snapshot(kept: heard, error: snapshot.error)
    }

    /// `networkOnly` observers never receive a stale fallback.
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
        let next = Snapshot(kept: snapshot.kept, error: snapshot.error, fetch: fetch)
        // A look may have found first what an answer tells now.
        if let last, last.repeats(next) { return }
        last = next
        if let kept = snapshot.kept { told = kept }
        // Yielding only enqueues the reader. Under the cache's lock two snapshots can't overtake each other.
        observer.yield(next)
    }
}

extension Snapshot {
    /// Whether another snapshot says the same: the same value of the store, error and refresh.
    fileprivate func repeats(_ other: Snapshot) -> Bool {
        guard let revision = kept?.revision, revision == other.kept?.revision else { return false }
        return fetch == other.fetch && error == other.error && kept?.isPending == other.kept?.isPending
            && kept?.staleAt == other.kept?.staleAt
    }
}
