internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

extension ReadThrough {
    /// Observes a key by a policy.
    ///
    /// - Parameter owner: the repository. The sequence keeps it alive, because a stack shares by
    ///   path, and closes, only the repositories that are alive.
    func observe(
        _ key: Key, _ policy: ReadPolicy, of owner: any AnyObject & Sendable
    ) -> SnapshotSequence<Value> {
        SnapshotSequence { [self] in
            let (stream, continuation) = AsyncStream.makeStream(
                of: Snapshot<Value>.self, bufferingPolicy: .bufferingNewest(1)
            )
            guard let (observer, isFirst) = add(continuation, key, policy) else {
                continuation.finish()
                return stream
            }
            // After the observer is added. A change in between lies in the feed, which exists since
            // the repository was made.
            background.startOnce(follow)
            if let timer { startTimer(timer) }
            continuation.onTermination = { [self, owner] _ in
                leave(observer, key)
                withExtendedLifetime(owner) {}
            }
            begin(observer, key, isFirst: isFirst)
            return stream
        }
    }

    /// Removes an observer without waiting for the cache's lock.
    ///
    /// A cancelled reader calls this while it holds a lock of its task. A thread that yields to the
    /// reader under the cache's lock waits for the lock of that task. To wait here for the cache's
    /// lock would be a deadlock.
    private func leave(_ observer: UInt64, _ key: Key) {
        let left = cache.withLockIfAvailable { $0.remove(observer, for: key) }
        if let left { return left?.leave() ?? () }
        Task.detached(executorPreference: executor) { [self] in
            cache.withLock { $0.remove(observer, for: key) }?.leave()
        }
    }

    /// The observed keys, each with the value in memory.
    var observed: [(key: Key, kept: Kept?)] {
        cache.withLock { cache in
            cache.entries.filter { !$0.value.watches.isEmpty }.map { (key: $0.key, kept: $0.value.kept) }
        }
    }

    /// Asks the network again for the observed keys that are due.
    ///
    /// A key is asked for in the modes that the policies of its observers want.
    ///
    /// - Parameters:
    ///   - isTimed: whether a timer asks. It does not ask for a key in the pause after a failure.
    ///   - isDue: decides by the key, the kept value, and whether an observer waits for a network.
    func refreshObserved(isTimed: Bool = false, where isDue: (Key, Kept?, _ isPaused: Bool) -> Bool) async {
        // Keys that are stale are asked for when the network is back.
        guard !isOffline else { return }
        let due = cache.withLock { $0.dueRefreshes(sparingPausesAt: isTimed ? clock.now() : nil, where: isDue) }
        await withTaskGroup { group in
            for (key, mode) in due { group.addTask { [self] in _ = await ask(key, mode) } }
        }
    }

    /// Refreshes the observed keys that are not fresh, or that wait for a network.
    func refreshStale() async {
        let now = clock.now()
        await refreshObserved { _, kept, isPaused in isPaused || kept?.isFresh(at: now) != true }
    }

    /// Ends all sequences, and the background tasks.
    func close() {
        background.cancel()
        // Outside of the lock: `finish()` calls the termination handler, which tries to take
        // it.
        for watch in cache.withLock({ $0.close() }) { watch.finish() }
    }

    /// Starts the tasks that follow the store and the network.
    func follow() -> [Task<Void, Never>] {
        var tasks: [Task<Void, Never>] = []
        if let coherence {
            for feed in coherence.feeds {
                tasks.append(
                    Task(executorPreference: executor) { [weak self] in
                        // The task holds the cache only for one round. A strong reference would
                        // keep a released repository alive for ever.
                        while await feed.waitForMore() {
                            guard let self else { return }
                            await lookAtChanged(coherence)
                        }
                    })
            }
            tasks.append(repeatFailedLooks(coherence))
        }
        if let connectivity {
            let turns = connectivity.changes()
            tasks.append(
                Task(executorPreference: executor) { [weak self] in
                    for await isOnline in turns where isOnline {
                        guard let self else { return }
                        await refreshStale()
                    }
                })
        }
        return tasks
    }

    /// Repeats failed looks with backoff.
    ///
    /// The store may tell of no change for a long time after it can be read again.
    private func repeatFailedLooks(_ coherence: Coherence<Key, Value>) -> Task<Void, Never> {
        Task(executorPreference: executor) { [weak self, failedLooks] in
            while await failedLooks.wait() {
                var backoff = StoreBackoff()
                while await backoff.wait(on: coherence.timer) {
                    // Weak during the pause, so that it does not keep a released repository alive.
                    guard let self else { return }
                    if await lookAtUnread(coherence) { break }
                }
            }
        }
    }

    /// Looks at the observed keys that have changed in the store.
    ///
    /// A key whose look fails is looked at again with the next change of any key, and after a
    /// pause.
    func lookAtChanged(_ coherence: Coherence<Key, Value>) async {
        if await !lookAtUnread(coherence) { failedLooks.signal() }
    }

    /// - Returns: false if a look failed and has to be repeated.
    private func lookAtUnread(_ coherence: Coherence<Key, Value>) async -> Bool {
        while true {
            let keys = cache.withLock { cache in
                // News and unread keys are taken in one step, so that two followers do not look at
                // one key twice.
                cache.catchUp(coherence)
                return cache.takeUnread()
            }
            if keys.isEmpty { return true }
            var hasFailed = false
            for keys in Array(keys).chunks(of: coherence.looks == nil ? 1 : Self.looksAtOnce) {
                let looks = await coherence.look(keys)
                cache.withLock { cache in
                    for (key, look) in zip(keys, looks) { cache.absorb(look: look, for: key) }
                }
                if looks.contains(where: \.isRepeatable) { hasFailed = true }
            }
            // The failed keys are unread again. Another round at once would be a busy loop while
            // the store fails.
            if hasFailed { return false }
        }
    }

    /// The most keys of one look: more would keep readers waiting for the cache's lock.
    static var looksAtOnce: Int { 100 }
}
