internal import WharfCore

/// One observer of a key, and whether it waits for a refresh.
struct Watch<Value: Sendable> {
    typealias Observer = AsyncStream<Snapshot<Value>>.Continuation

    /// The state of an observer's refresh.
    enum Refresh: Equatable {
        case none
        case underWay(CacheMode)
        /// There is no network.
        case paused
    }

    private let observer: Observer
    let policy: ReadPolicy
    /// The task of the observer's first look and first request.
    var task: Task<Void, Never>?
    private var refresh = Refresh.none
    /// When the refresh began, in the order of requests: the answer to an earlier request does not
    /// end it.
    private var since: UInt64 = 0
    /// The last snapshot that the observer was given.
    private var last: Snapshot<Value>?
    /// The last value that the observer was given, even if a failure came after it.
    private var told: Snapshot<Value>.Kept?

    init(observer: Observer, policy: ReadPolicy) {
        self.observer = observer
        self.policy = policy
    }

    mutating func start(_ snapshot: Snapshot<Value>, _ refresh: Refresh, at now: UInt64) {
        (self.refresh, since) = (refresh, now)
        if refresh == .none { task = nil }
        // A `networkOnly` observer may have heard of another one's answer before its own request
        // begins.
        give(policy.fallsBack ? snapshot : Snapshot(kept: told, error: snapshot.error))
    }

    /// Starts an observer that knows the present snapshot, and waits for news.
    mutating func begin(knowing snapshot: Snapshot<Value>) { last = snapshot }

    /// Notes the start of a refresh that the observer did not ask for.
    mutating func startRefresh(_ mode: CacheMode, at now: UInt64) {
        guard !isUnderWay(mode) else { return }
        (refresh, since) = (.underWay(mode), now)
        if let last { give(last) }
    }

    private func isUnderWay(_ mode: CacheMode, before moment: UInt64 = .max) -> Bool {
        refresh == .underWay(mode) && since < moment
    }

    /// Gives the observer news. An answer of another mode does not end its own refresh.
    mutating func tell(_ merged: Snapshot<Value>, raw: Snapshot<Value>, _ mode: CacheMode?) {
        if let mode, isUnderWay(mode) { refresh = .none }
        give(answer(merged, raw))
    }

    /// Gives the observer another value of the store, which answers no request.
    ///
    /// `networkOnly` observers are not told. An observer without a first snapshot gets the value
    /// with that one.
    mutating func tell(stored snapshot: Snapshot<Value>) {
        if policy.fallsBack, last != nil { give(snapshot) }
    }

    /// Ends the observer's refresh with its answer, unless it has ended already.
    ///
    /// - Parameters:
    ///   - raw: the answer.
    ///   - state: the state of the key, with the error of the answer.
    ///   - landed: when the answer was applied.
    ///   - isLate: whether the cache has not taken the answer.
    ///   - isOutdated: whether something newer than the answer is there.
    mutating func settle(
        _ raw: Snapshot<Value>, _ state: Snapshot<Value>, _ mode: CacheMode, landed: UInt64, isLate: Bool,
        isOutdated: Bool
    ) {
        guard isUnderWay(mode, before: landed) else { return }
        refresh = .none
        if policy.fallsBack { return give(state) }
        // A `networkOnly` observer may have joined a request after the answer to a later one had
        // landed. If it were given its own late answer, which the cache has not taken, the next one
        // could be a step back.
        if isOutdated, let told { return give(Snapshot(kept: told)) }
        give(isLate ? state : answer(state, raw))
    }

    /// Returns an answer for the policy: `networkOnly` observers never get a stale fallback.
    private func answer(_ merged: Snapshot<Value>, _ raw: Snapshot<Value>) -> Snapshot<Value> {
        if policy.fallsBack { return merged }
        return raw.error != nil && raw.kept?.isStored == true ? Snapshot(kept: nil, error: raw.error) : raw
    }

    /// The mode in which the observer wants a refresh; nil if its value is good enough.
    var refreshMode: CacheMode? {
        switch policy {
        case .cacheOnly: nil
        // Its value is good enough. An observer that is paused has none.
        case .cacheFirst: isPaused ? policy.networkMode : nil
        case .networkOnly: .bypass
        default: .reload
        }
    }

    var isPaused: Bool { refresh == .paused }

    func finish() {
        task?.cancel()
        observer.finish()
    }

    private mutating func give(_ snapshot: Snapshot<Value>) {
        // An observer that takes any value needs no network for it.
        if policy == .cacheFirst, refresh == .paused, snapshot.kept != nil { refresh = .none }
        let fetch: FetchStatus =
            switch refresh {
            case .none: .idle
            case .underWay: .refreshing
            case .paused: .paused
            }
        let next = Snapshot(kept: snapshot.kept, error: snapshot.error, fetch: fetch)
        // A look may have given the observer the same value before the answer.
        if let last, last.repeats(next) { return }
        last = next
        if let kept = snapshot.kept { told = kept }
        // Yielding only enqueues the reader. Under the cache's lock two snapshots can't overtake
        // each other.
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
