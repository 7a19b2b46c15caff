internal import Synchronization
internal import WharfCore

/// Reads values of one kind by key: asks the source as the policy says, remembers the last good value, tells observers.
final class ReadThrough<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Kept = Snapshot<Value>.Kept

    private struct Question: Hashable, Sendable {
        let key: Key
        let mode: CacheMode
    }

    /// What came back, and what is known after it. A reference, because a thousand callers may take it.
    final class Answer: Sendable {
        let raw: Snapshot<Value>
        let merged: Snapshot<Value>
        /// When it was taken in, in the order of requests.
        let landed: UInt64

        init(raw: Snapshot<Value>, merged: Snapshot<Value>, landed: UInt64) {
            self.raw = raw
            self.merged = merged
            self.landed = landed
        }
    }

    let shelf: Mutex<Shelf<Key, Value>>
    let clock: any WallClock
    let connectivity: (any Connectivity)?
    let coherence: Coherence<Key, Value>?
    let timer: RefreshTimer?
    let background = BackgroundTasks()
    /// Where everything runs that is not a caller's own doing.
    let executor: (any TaskExecutor)?
    private let flights: SingleFlight<Question, Answer>
    private let fetch: Fetch

    /// Asks the source. It calls `expect` with the stamp of what it is about to commit.
    typealias Fetch = @Sendable (Key, CacheMode, _ expect: @Sendable (Int) -> Void) async -> Snapshot<Value>

    /// - Parameters:
    ///   - limit: how many values are remembered.
    ///   - timer: with it what is observed is asked for again every so often.
    ///   - coherence: with it what is remembered answers reads, since nobody changes the store unnoticed.
    init(
        limit: Int, clock: any WallClock, executor: (any TaskExecutor)?, connectivity: (any Connectivity)? = nil,
        timer: RefreshTimer? = nil, coherence: Coherence<Key, Value>? = nil, fetch: @escaping Fetch
    ) {
        self.shelf =
            if let hot = coherence?.hot {
                Mutex(
                    Shelf(limit: limit) { key in
                        hot.shelf.remove(hot.text(key))
                    } takeUse: { key in
                        hot.shelf.takeUse(of: hot.text(key))
                    })
            } else {
                Mutex(Shelf(limit: limit))
            }
        self.executor = executor
        self.flights = SingleFlight(executor: executor)
        self.clock = clock
        self.connectivity = connectivity
        self.coherence = coherence
        self.timer = timer
        self.fetch = fetch
    }

    deinit { background.cancel() }

    func read(_ key: Key, _ policy: ReadPolicy) async -> Snapshot<Value> {
        if let remembered = remembered(key, policy) { return Snapshot(kept: remembered) }
        if isClosed { return Snapshot(kept: nil, error: .closed) }
        // For a single read the first emission of cacheThenNetwork would never be seen.
        if policy.looksFirst, policy != .cacheThenNetwork {
            let stored = await ask(key, .storedOnly).merged
            if stored.kept != nil || stored.error?.isAnswer == true || policy == .cacheOnly { return stored }
            if stored.error?.code == .cancelled { return stored }
        }
        if policy == .standard, isHeldAlone(key) {
            let newest = await ask(key, .storedOnly).merged
            if newest.kept?.isFresh(at: clock.now()) == true || newest.error?.code == .cancelled { return newest }
        }
        guard let mode = networkMode(key, policy) else { return Snapshot(kept: nil, error: .nothingKept) }
        if isOffline { return await readOffline(key, policy) }
        let answer = await ask(key, mode)
        return policy.fallsBack ? answer.merged : answer.raw
    }

    /// Takes in a value that nobody asked for.
    func receive(_ value: Snapshot<Value>, for key: Key) {
        shelf.withLock { shelf in
            if let known = shelf.kept(key), let kept = value.kept, known.asOf > kept.asOf { return }
            _ = shelf.absorb(value, for: key, nil, began: shelf.ask(key), at: clock.now())
        }
    }

    /// Takes in what the origin has decided, where no store can tell of it: nothing for what is gone.
    func settle(_ decided: Snapshot<Value>, for key: Key) {
        guard decided.kept == nil else { return receive(decided, for: key) }
        shelf.withLock { $0.remove(key) }
    }

    func makeStale(where isStale: (Key, Kept) -> Bool) {
        shelf.withLock { $0.makeStale(where: isStale) }
    }

    /// What is in memory, where the policy takes it without asking anybody.
    private func remembered(_ key: Key, _ policy: ReadPolicy) -> Kept? {
        guard let coherence, policy.looksFirst && policy != .cacheThenNetwork || policy == .standard else { return nil }
        let kept = shelf.withLock { shelf in
            shelf.catchUp(coherence)
            let kept = shelf.current(key)
            if let kept, let hot = coherence.hot { shelf.warm(hot.shelf, hot.text(key), kept) }
            return kept
        }
        guard let kept, policy != .standard || kept.isFresh(at: clock.now()) else { return nil }
        return kept
    }

    /// How the network is asked. What is in memory alone can be stale and newer than what the store takes for fresh.
    func networkMode(_ key: Key, _ policy: ReadPolicy) -> CacheMode? {
        policy == .standard && isHeldAlone(key) ? .reload : policy.networkMode
    }

    private func isHeldAlone(_ key: Key) -> Bool { coherence != nil && shelf.withLock { $0.isHeldAlone(key) } }

    private func readOffline(_ key: Key, _ policy: ReadPolicy) async -> Snapshot<Value> {
        guard policy.fallsBack else { return Snapshot(kept: nil, error: .offline) }
        let stored = await ask(key, .storedOnly).merged
        if policy == .standard, stored.kept?.isFresh(at: clock.now()) == true { return stored }
        return Snapshot(kept: stored.kept, error: .offline)
    }

    var isClosed: Bool { shelf.withLock { $0.isClosed } }

    var isOffline: Bool { connectivity?.isOnline == false }

    func ask(_ key: Key, _ mode: CacheMode) async -> Answer {
        do {
            return try await flights.run(Question(key: key, mode: mode)) { [self] close in
                let began = shelf.withLock { shelf in
                    if let coherence { shelf.catchUp(coherence) }
                    return shelf.ask(key)
                }
                let answer = await fetch(key, mode) { stamp in
                    shelf.withLock { $0.expect(stamp, for: key, of: began) }
                }
                let landed = await land(answer, key, mode, began, close)
                if let coherence, shelf.withLock({ $0.unread.contains(key) }) {
                    // Not in here: this task may be cancelled, and its callers wait.
                    Task.detached(executorPreference: executor) { [self] in await rereadChanged(coherence) }
                }
                return landed
            }
        } catch {
            let failure = ReadFailure.cancelled(error)
            return shelf.withLock { shelf in
                let known = Snapshot(kept: shelf.kept(key), error: failure)
                return Answer(raw: Snapshot(kept: nil, error: failure), merged: known, landed: shelf.begin())
            }
        }
    }
}

extension ReadThrough {
    /// Takes in an answer, or what the store has by now: what came while the answer was on its way may be newer, and the store has had
    /// both.
    ///
    /// - Parameter close: called before anybody is told: who asks then wants to know more.
    private func land(
        _ answer: Snapshot<Value>, _ key: Key, _ mode: CacheMode, _ began: UInt64, _ close: @Sendable () -> Void
    ) async -> Answer {
        var (answer, looked) = (answer, began)
        // Where something always comes, what is known then is good enough.
        for _ in 0..<3 {
            let landed = shelf.withLock { shelf in
                hasCome(since: looked, answer, key, &shelf) ? nil : take(answer, &shelf, key, mode, began, close)
            }
            if let landed { return landed }
            let now = shelf.withLock { $0.begin() }
            // What has gone since is told by the store; it may not be readable, least of all by who has left.
            guard let stored = await coherence?.reread(key).kept else { break }
            looked = now
            if stored.stamp != answer.kept?.stamp { answer = Snapshot(kept: stored, error: answer.error) }
        }
        return shelf.withLock { shelf in
            if hasCome(since: looked, answer, key, &shelf), let known = shelf.kept(key) {
                answer = Snapshot(kept: known, error: answer.error)
            }
            return take(answer, &shelf, key, mode, began, close)
        }
    }

    /// Whether something has come since a moment that the answer may not know of.
    private func hasCome(
        since moment: UInt64, _ answer: Snapshot<Value>, _ key: Key, _ shelf: inout Shelf<Key, Value>
    ) -> Bool {
        guard let coherence else { return false }
        shelf.catchUp(coherence)
        return answer.kept?.stamp != nil && shelf.hasSince(moment, key)
    }

    private func take(
        _ answer: Snapshot<Value>, _ shelf: inout Shelf<Key, Value>, _ key: Key, _ mode: CacheMode, _ began: UInt64,
        _ close: () -> Void
    ) -> Answer {
        close()
        let merged = shelf.absorb(answer, for: key, mode, began: began, at: clock.now())
        return Answer(raw: answer, merged: merged, landed: shelf.begin())
    }
}

extension ReadFailure {
    static let closed = ReadFailure(
        .closed, message: "the repository was closed with the stack that it belongs to; take one of a new stack")
    static let offline = ReadFailure(
        .offline, message: "the system says that there is no network; it is asked again when there is one")
}
