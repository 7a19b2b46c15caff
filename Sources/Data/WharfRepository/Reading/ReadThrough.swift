internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// A read-through cache of the values of one kind, by key.
///
/// It asks the source as the policy says, remembers the last good value, and tells observers.
final class ReadThrough<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Kept = Snapshot<Value>.Kept

    struct RequestKey: Hashable, Sendable {
        let key: Key
        let mode: CacheMode
        let generation: Int
    }

    typealias AppliedAnswer = ModelCache<Key, Value>.AppliedAnswer

    let cache: Mutex<ModelCache<Key, Value>>
    let clock: any WallClock
    let connectivity: (any Connectivity)?
    let coherence: Coherence<Key, Value>?
    let timer: RefreshTimer?
    let background = BackgroundTasks()
    /// The executor of tasks that are not a caller's own; nil for the global executor.
    let executor: (any TaskExecutor)?
    let runs = RefreshRuns()
    /// Signalled after a failed look at an observed key.
    let failedLooks = AutoResetEvent()
    /// The number of invalidations. A request that began before one is not shared by callers after
    /// it.
    private let generations = Atomic(0)
    let flights: SingleFlight<RequestKey, AppliedAnswer>
    private let fetch: Fetch

    /// Asks the source.
    ///
    /// - Parameters:
    ///   - found: the look at the store, if there was one. Otherwise the source looks at the store
    ///     itself.
    ///   - descent: the call of the source, which a look before this request may have begun.
    ///   - willCommit: called before the answer of the source is committed.
    typealias Fetch =
        @Sendable (
            _ key: Key, _ mode: CacheMode, _ found: StoreRead<Value>?, _ descent: Descent<Value>,
            _ willCommit: @escaping @Sendable () -> Void
        ) async -> MarkedAnswer<Value>

    /// - Parameters:
    ///   - limit: the number of values held in memory.
    ///   - coherence: tells of each change to the store, so that memory can answer reads.
    init(limit: Int, _ context: ReadContext, _ coherence: Coherence<Key, Value>? = nil, fetch: @escaping Fetch) {
        self.cache =
            if let hot = coherence?.hot {
                Mutex(
                    ModelCache(limit: limit) { key in
                        hot.cache.remove(hot.text(key))
                    } takeUse: { key in
                        hot.cache.takeUse(of: hot.text(key))
                    })
            } else {
                Mutex(ModelCache(limit: limit))
            }
        executor = context.executor
        flights = SingleFlight(executor: context.executor)
        clock = context.clock
        connectivity = context.connectivity
        timer = context.timer
        self.coherence = coherence
        self.fetch = fetch
    }

    deinit { background.cancel() }

    func read(_ key: Key, _ policy: ReadPolicy) async -> Snapshot<Value> {
        if let remembered = remembered(key, policy) { return Snapshot(kept: remembered) }
        if isClosed { return Snapshot(kept: nil, error: .closed) }
        return await holding(key) { await descend(key, policy) }
    }

    private func descend(_ key: Key, _ policy: ReadPolicy) async -> Snapshot<Value> {
        // A single read would never show the first emission of cacheThenNetwork.
        let looksFirst = policy.looksFirst && policy != .cacheThenNetwork
        guard looksFirst || policy == .standard && isAlone(key) else {
            return await readNetwork(key, policy)
        }
        let landed = await ask(key, .storedOnly)
        let stored = landed.merged
        let isEnough =
            looksFirst
            ? stored.kept != nil || stored.error?.isAnswer == true || policy == .cacheOnly
            : stored.kept?.isFresh(at: clock.now()) == true
        if isEnough || stored.error?.code == .cancelled { return stored }
        return await readNetwork(key, policy, after: landed)
    }

    private func readNetwork(
        _ key: Key, _ policy: ReadPolicy, after look: AppliedAnswer? = nil
    ) async -> Snapshot<Value> {
        guard let mode = cache.withLock({ networkMode(key, policy, $0) }) else {
            return Snapshot(kept: nil, error: .nothingKept)
        }
        if isOffline { return await readOffline(key, policy) }
        let answer = await ask(key, mode, after: look)
        return policy.fallsBack ? answer.merged : answer.raw
    }

    /// Runs a body while the cache keeps the entry of a key.
    ///
    /// A key without an entry hears of no change. Then a request could take an outdated look for
    /// the newest one. Its answer would seem to be older than a change from before the request.
    func holding<Result>(_ key: Key, _ body: () async -> Result) async -> Result {
        cache.withLock { $0.hold(key) }
        defer { cache.withLock { $0.release(key) } }
        return await body()
    }

    /// Applies a value that came without a request.
    func receive(_ value: MarkedAnswer<Value>, for key: Key) {
        cache.withLock { cache in
            if let known = cache.kept(key), let kept = value.snapshot.kept, known.asOf > kept.asOf { return }
            _ = cache.absorb(value, for: key, nil, began: cache.ask(key), at: clock.now())
        }
    }

    /// Applies the result of a change that no store tells of.
    ///
    /// A snapshot without a value says that the key is gone.
    func settle(_ decided: Snapshot<Value>, for key: Key) {
        guard decided.kept == nil else { return receive(MarkedAnswer(decided), for: key) }
        cache.withLock { $0.remove(key) }
    }

    /// Makes values stale that lie in no store.
    ///
    /// A request that begins from now on is not shared with one that began before.
    func makeStale(where isStale: @escaping @Sendable (Key, Kept) -> Bool) {
        // First the number, then the values. In the other order a read between the two would join a
        // request from before the invalidation.
        generations.add(1, ordering: .relaxed)
        cache.withLock { $0.makeStale(where: isStale) }
    }

    var generation: Int { generations.load(ordering: .relaxed) }

    /// Returns the value in memory, if the policy takes it without a look or a request.
    private func remembered(_ key: Key, _ policy: ReadPolicy) -> Kept? {
        guard let coherence, policy.looksFirst && policy != .cacheThenNetwork || policy == .standard else { return nil }
        let kept = cache.withLock { cache in
            cache.catchUp(coherence)
            let kept = cache.current(key)
            // In the step that has caught up. A change that is told from now on sets the flag, and
            // its next catch-up removes this hit.
            if let kept, let hot = coherence.hot { cache.warm(hot.cache, hot.text(key), kept) }
            return kept
        }
        guard let kept, policy != .standard || kept.isFresh(at: clock.now()) else { return nil }
        return kept
    }

    /// Returns how the network is asked; nil if the policy does not ask it.
    ///
    /// `standard` asks in the mode of the other policies if the value may not be used without a
    /// request anyway. Then all of them share one request.
    ///
    /// - A value in memory alone can be stale, and still newer than a value that the store or the
    ///   source's own cache takes for fresh.
    /// - A stored value that is stale must not be replaced by a cache below.
    func networkMode(_ key: Key, _ policy: ReadPolicy, _ cache: ModelCache<Key, Value>) -> CacheMode? {
        guard policy == .standard, let entry = cache.entries[key], let kept = entry.kept else {
            return policy.networkMode
        }
        let isAlone = entry.isAlone && (coherence != nil || kept.staleAt == .distantPast)
        let isStale = coherence != nil && entry.isCurrent && !kept.isFresh(at: clock.now())
        return isAlone || isStale ? .reload : policy.networkMode
    }

    private func isAlone(_ key: Key) -> Bool { coherence != nil && cache.withLock { $0.isAlone(key) } }

    private func readOffline(_ key: Key, _ policy: ReadPolicy) async -> Snapshot<Value> {
        guard policy.fallsBack else { return Snapshot(kept: nil, error: .offline) }
        let stored = await ask(key, .storedOnly).merged
        if policy == .standard, stored.kept?.isFresh(at: clock.now()) == true { return stored }
        return Snapshot(kept: stored.kept, error: .offline)
    }

    var isClosed: Bool { cache.withLock { $0.isClosed } }

    var isOffline: Bool { connectivity?.isOnline == false }

    /// Asks a question once for all callers that ask it at the same time.
    ///
    /// - Parameter look: an earlier look. Its read of the store is used if nothing has changed
    ///   since, provided that the key has been held since the look (``holding(_:_:)``).
    func ask(_ key: Key, _ mode: CacheMode, after look: AppliedAnswer? = nil) async -> AppliedAnswer {
        do {
            // A cancelled caller must not start a request, because no caller would wait for it.
            guard !Task.isCancelled,
                let ticket = cache.withLock({ join(key, mode, knowing: look?.look, continuing: look?.descent, &$0) })
            else { throw CancellationError() }
            return try await flights.wait(for: ticket)
        } catch {
            let failure = ReadFailure.cancelled(error)
            return cache.withLock { cache in
                let known = Snapshot(kept: cache.kept(key), error: failure)
                let answer = MarkedAnswer<Value>(Snapshot(kept: nil, error: failure))
                return AppliedAnswer(answer, known, mode, isLate: false, at: cache.begin())
            }
        }
    }

    /// Joins a request, or starts it.
    ///
    /// This is one step with the change of the key's ``RefreshState``: the state tells of a request
    /// exactly as long as callers can join it.
    ///
    /// - Parameters:
    ///   - looksFirst: whether a new request looks at the stored value before it asks the network,
    ///     and tells the observers that wait for it.
    ///   - descent: the call of the source that an earlier look has begun.
    func join(
        _ key: Key, _ mode: CacheMode, looksFirst: Bool = false, knowing look: StoreRead<Value>?,
        continuing descent: Descent<Value>? = nil, _ cache: inout ModelCache<Key, Value>
    ) -> SingleFlight<RequestKey, AppliedAnswer>.Ticket? {
        let began = cache.begin()
        let question = RequestKey(key: key, mode: mode, generation: generation)
        let ticket = flights.join(question) { [self] close in
            var (began, look, descent) = (began, look, descent)
            if looksFirst {
                (began, look, descent) = await lookFirst(key, mode, began, look)
                if Task.isCancelled {
                    let cancelled = MarkedAnswer<Value>(Snapshot(kept: nil, error: .cancelled()))
                    return self.cache.withLock { land(cancelled, &$0, key, mode, began, close).answer }
                }
            }
            let landed = await request(key, mode, began, look, continuing: descent, close)
            if let coherence, self.cache.withLock({ $0.unread.contains(key) }) {
                // In a task of its own, because this one may be cancelled, and its callers wait.
                Task.detached(executorPreference: executor) { [self] in await lookAtChanged(coherence) }
            }
            return landed
        }
        guard let ticket, ticket.isFirst else { return ticket }
        cache.hold(key)
        if mode != .storedOnly { cache.changeRefresh(of: key) { $0.begin(mode, isLooking: looksFirst) } }
        return ticket
    }

    /// Looks at the stored value for the observers that wait for it.
    ///
    /// - Returns: the number of the request to the network, the look, and the call to continue.
    private func lookFirst(
        _ key: Key, _ mode: CacheMode, _ began: UInt64, _ look: StoreRead<Value>?
    ) async -> (began: UInt64, look: StoreRead<Value>?, descent: Descent<Value>?) {
        let landed = await request(key, .storedOnly, began, look, before: mode) {}
        return cache.withLock { cache in
            if !Task.isCancelled { cache.changeRefresh(of: key) { $0.ask(mode) } }
            return (cache.ask(key), landed.look, landed.descent)
        }
    }

    /// - Parameters:
    ///   - look: a look at the store, which is used if nothing has changed since.
    ///   - descent: the call of the source that an earlier look has begun.
    private func request(
        _ key: Key, _ mode: CacheMode, _ began: UInt64, _ look: StoreRead<Value>?, before next: CacheMode? = nil,
        continuing descent: Descent<Value>? = nil, _ close: @Sendable () -> Void
    ) async -> AppliedAnswer {
        // The news is taken and the earlier look judged in one step. A change between them would be
        // older than the request, and unseen by it.
        let found = cache.withLock { cache in
            if let coherence { cache.catchUp(coherence) }
            return look.flatMap { cache.isNewest($0, key) ? $0 : nil }
        }
        let descent = descent ?? Descent()
        var answer = await fetch(key, mode, found, descent) { [self] in cache.withLock { $0.startCommit(of: key) } }
        if mode == .storedOnly { answer.descent = descent }
        return await land(answer, key, mode, began, before: next, close)
    }
}

extension ReadThrough {
    /// Applies an answer, or in its place the newer state of the store.
    ///
    /// The key is looked at again if the store has changed since the answer's look.
    ///
    /// - Parameter close: ends the sharing of the request before an observer is told. A reader that
    ///   asks after that wants to know more.
    private func land(
        _ answer: MarkedAnswer<Value>, _ key: Key, _ mode: CacheMode, _ began: UInt64, before next: CacheMode?,
        _ close: @Sendable () -> Void
    ) async -> AppliedAnswer {
        var answer = answer
        // Under steady changes the answer to the third look is good enough.
        var looks = 0
        while true {
            let landed = cache.withLock { cache -> (answer: AppliedAnswer, left: [ObserverState<Value>.Place])? in
                if let coherence { cache.catchUp(coherence) }
                let isUpToDate = answer.mark.map { cache.isUpToDate($0, key) } ?? true
                return isUpToDate || looks == 3 ? land(answer, &cache, key, mode, began, before: next, close) : nil
            }
            if let landed {
                for place in landed.left { place.leave() }
                return landed.answer
            }
            looks += 1
            guard let look = await coherence?.look(key), let mark = look.mark else {
                // The store can't be read, as by a cancelled task. The mark still tells how old the
                // answer is.
                looks = 3
                continue
            }
            (answer.mark, answer.version) = (mark, look.version)
            guard look.snapshot.kept?.revision != answer.snapshot.kept?.revision else { continue }
            let error = look.snapshot.kept == nil ? look.snapshot.error : nil
            answer.snapshot = Snapshot(kept: look.snapshot.kept, error: answer.snapshot.error ?? error)
        }
    }

    /// - Parameter next: the mode in which the request asks the network after this look.
    /// - Returns: the answer, and places to leave after the lock is released.
    private func land(
        _ answer: MarkedAnswer<Value>, _ cache: inout ModelCache<Key, Value>, _ key: Key, _ mode: CacheMode,
        _ began: UInt64, before next: CacheMode? = nil, _ close: () -> Void
    ) -> (answer: AppliedAnswer, left: [ObserverState<Value>.Place]) {
        close()
        // Ended in the step that applies the answer. Earlier, a look could tell the observers the
        // same value as a stored one first.
        if answer.hasOpenCommit { cache.endCommit(of: key) }
        let landed = cache.absorb(answer, for: key, mode, began: began, at: clock.now())
        // A cancelled look is no first snapshot. The observers that wait have places in other
        // requests.
        guard mode == .storedOnly, !Task.isCancelled else { return (landed, []) }
        return (landed, serveWaiting(key, after: landed, next, &cache))
    }
}

extension ReadFailure {
    static let closed = ReadFailure(
        .closed, message: "the repository was closed with its stack; make it by a new stack")
    static let noStore = ReadFailure(
        .unsupported,
        message: "a repository over a source alone has no store to query; give it one: Repository(_:in:remote:)")
    static let offline = ReadFailure(
        .offline, message: "the system reports no network; the service is asked again when there is one")
}
