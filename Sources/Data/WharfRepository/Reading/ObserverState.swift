internal import WharfCore

/// One observer of a key, and the snapshot that it was given last.
struct ObserverState<Value: Sendable> {
    typealias Observer = AsyncStream<Snapshot<Value>>.Continuation

    /// The observer's place in a request. It keeps the request alive.
    struct Place {
        let mode: CacheMode
        let leave: @Sendable () -> Void
    }

    // Invariants: `last` is the snapshot that the observer knows; `lastSent` is the last value that
    // it was given.
    private let observer: Observer
    let policy: ReadPolicy
    /// nil if the observer waits for no request.
    var place: Place?
    /// Whether the observer has its first snapshot. The state of a refresh comes with that.
    private var isStarted = false
    /// The last snapshot that the observer was given.
    private var last: Snapshot<Value>?
    /// The last value that the observer was given, even if a failure came after it.
    private var lastSent: Snapshot<Value>.Kept?

    init(observer: Observer, policy: ReadPolicy) {
        self.observer = observer
        self.policy = policy
    }

    mutating func start(_ snapshot: Snapshot<Value>, _ refresh: RefreshState) {
        isStarted = true
        // A `networkOnly` observer may have heard of another one's answer before its own request
        // begins.
        give(policy.fallsBack ? snapshot : Snapshot(kept: lastSent, error: snapshot.error), refresh)
    }

    /// Starts an observer that knows the present snapshot, and waits for news.
    mutating func begin(knowing snapshot: Snapshot<Value>) { last = snapshot }

    /// Tells the observer that a refresh has begun or paused.
    mutating func tell(_ refresh: RefreshState) {
        guard isStarted, let last, refresh.fetch(policy, hasValue: last.kept != nil) != last.fetch else { return }
        give(refresh.isPaused ? Snapshot(kept: last.kept, error: refresh.failure) : last, refresh)
    }

    /// Gives the observer news. An answer of another mode does not end its own refresh.
    mutating func tell(_ merged: Snapshot<Value>, raw: Snapshot<Value>, _ refresh: RefreshState) {
        give(answer(merged, raw), refresh)
    }

    /// Gives the observer another value of the store, which answers no request.
    ///
    /// `networkOnly` observers are not told. An observer without a first snapshot gets the value
    /// with that one.
    mutating func tell(stored snapshot: Snapshot<Value>, _ refresh: RefreshState) {
        if policy.fallsBack, last != nil { give(snapshot, refresh) }
    }

    /// Tells the observer that a refresh has ended with an answer that is no news.
    ///
    /// - Parameters:
    ///   - raw: the answer.
    ///   - state: the state of the key, with the error of the answer.
    ///   - isLate: whether something newer than the answer is there.
    mutating func settle(_ raw: Snapshot<Value>, _ state: Snapshot<Value>, isLate: Bool, _ refresh: RefreshState) {
        guard isStarted, let last, refresh.fetch(policy, hasValue: last.kept != nil) != last.fetch else { return }
        // The cancellation of a request is a matter of its callers. An observer that was told
        // nothing yet still has to learn why it gets no value.
        if raw.error?.code == .cancelled, last.kept != nil || last.error != nil { return give(last, refresh) }
        if policy.fallsBack { return give(state, refresh) }
        // A `networkOnly` observer may have joined a request after the answer to a later one had
        // landed. If it were given its own late answer, which the cache has not taken, the next one
        // could be a step back.
        if isLate, let lastSent { return give(Snapshot(kept: lastSent), refresh) }
        give(isLate ? state : answer(state, raw), refresh)
    }

    /// Returns an answer for the policy: `networkOnly` observers never get a stale fallback.
    private func answer(_ merged: Snapshot<Value>, _ raw: Snapshot<Value>) -> Snapshot<Value> {
        if policy.fallsBack { return merged }
        guard raw.kept?.isStored == true else { return raw }
        // Without an error the store had a newer value than the origin sent. Memory may have an
        // even newer one by now, and the stored one would be a step back.
        return raw.error == nil ? merged : Snapshot(kept: nil, error: raw.error)
    }

    /// Returns the mode in which the observer wants a refresh; nil if its value is good enough.
    ///
    /// - Parameter isPaused: whether the key waits for a network.
    func refreshMode(isPaused: Bool) -> CacheMode? {
        switch policy {
        case .cacheOnly: nil
        case .cacheFirst: isPaused && last?.kept == nil ? policy.networkMode : nil
        case .networkOnly: .bypass
        default: .reload
        }
    }

    func finish() {
        place?.leave()
        observer.finish()
    }

    private mutating func give(_ snapshot: Snapshot<Value>, _ refresh: RefreshState) {
        let fetch = refresh.fetch(policy, hasValue: snapshot.kept != nil)
        let next = Snapshot(kept: snapshot.kept, error: snapshot.error, fetch: fetch)
        // A look may have given the observer the same value before the answer.
        if let last, last.repeats(next) { return }
        last = next
        if let kept = snapshot.kept { lastSent = kept }
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
