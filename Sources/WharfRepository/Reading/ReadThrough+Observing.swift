internal import Synchronization
internal import WharfCore

extension ReadThrough {
    /// - Parameter owner: the repository, which lives as long as it is observed: a stack closes the repositories
    ///   that are alive, and shares them by path.
    func observe(
        _ key: Key, _ policy: ReadPolicy, of owner: any AnyObject & Sendable
    ) -> SnapshotSequence<Value> {
        SnapshotSequence { [self] in
            let (stream, continuation) = AsyncStream.makeStream(
                of: Snapshot<Value>.self, bufferingPolicy: .bufferingNewest(1)
            )
            guard let observer = cache.withLock({ $0.add(continuation, for: key, policy) }) else {
                continuation.finish()
                return stream
            }
            background.startOnce(follow)
            if let timer { startTimer(timer) }
            let start = Task(executorPreference: executor) { [self] in
                await holding(key) { await begin(observer, key, policy) }
            }
            continuation.onTermination = { [self, owner] _ in
                start.cancel()
                leave(observer, key)
                withExtendedLifetime(owner) {}
            }
            return stream
        }
    }

    /// Removes an observer without waiting for the cache's lock.
    ///
    /// A cancelled reader calls this with a lock of its task held. A thread that yields to the reader under
    /// the cache's lock waits for that one: to wait here would be a deadlock.
    private func leave(_ observer: UInt64, _ key: Key) {
        let hasLeft = cache.withLockIfAvailable { cache in
            cache.remove(observer, for: key)
            return true
        }
        guard hasLeft == nil else { return }
        Task.detached(executorPreference: executor) { [self] in cache.withLock { $0.remove(observer, for: key) } }
    }

    /// The observed keys, each with the value in memory.
    var observed: [(key: Key, kept: Kept?)] {
        cache.withLock { cache in
            cache.entries.filter { !$0.value.watches.isEmpty }.map { (key: $0.key, kept: $0.value.kept) }
        }
    }

    /// Asks the network again for what is observed by a policy that wants it.
    ///
    /// - Parameter isDue: by key, by what is kept, and whether an observer waits for a network.
    func refreshObserved(where isDue: (Key, Kept?, _ isPaused: Bool) -> Bool) async {
        // What is stale by then is asked for when the network is back.
        guard !isOffline else { return }
        let due = cache.withLock { $0.startRefreshes(where: isDue) }
        await withTaskGroup { group in
            for (key, mode) in due {
                group.addTask { [self] in
                    let answer = await ask(key, mode)
                    cache.withLock { $0.settle(of: key, answer, mode) }
                }
            }
        }
    }

    /// The same for what is not fresh, or waits for a network.
    func refreshStale() async {
        let now = clock.now()
        await refreshObserved { _, kept, isPaused in isPaused || kept?.isFresh(at: now) != true }
    }

    /// Ends all sequences, and what goes on for them.
    func close() {
        background.cancel()
        for watch in cache.withLock({ $0.close() }) { watch.finish() }
    }

    /// The observer's first snapshots: what is known, then what the network says, as far as the policy wants either.
    private func begin(_ observer: UInt64, _ key: Key, _ policy: ReadPolicy) async {
        guard policy.looksFirst || policy == .standard else {
            return await refresh(observer, key, policy, after: nil) { [self] in await ask(key, $0) }
        }
        let (landed, revalidate) = await storedThenNetwork(key)
        let stored = landed.merged
        let settled =
            switch policy {
            case .cacheOnly: true
            case .cacheFirst: stored.kept != nil || stored.error?.isAnswer == true
            case .standard: stored.kept?.isFresh(at: clock.now()) == true && stored.error == nil
            default: false
            }
        if settled { return cache.withLock { $0.start(observer, of: key, after: landed, .none) } }
        await refresh(observer, key, policy, after: landed, revalidate)
    }

    private func refresh(
        _ observer: UInt64, _ key: Key, _ policy: ReadPolicy, after look: Landed?, _ revalidate: Revalidate
    ) async {
        guard let mode = networkMode(key, policy) else { return }
        if isOffline {
            cache.withLock { $0.start(observer, of: key, after: look, .paused) }
            // The network may have come back before the pause was noted: no event would end it then.
            guard !isOffline else { return }
        }
        cache.withLock { $0.start(observer, of: key, after: look, .underWay(mode)) }
        // The flight tells the observers of the key if there is news. This one waits for the end in any case.
        let answer = await revalidate(mode)
        cache.withLock { $0.settle(observer, of: key, answer, mode) }
    }

    /// Follows the store and the network while there are observers.
    func follow() -> [Task<Void, Never>] {
        var tasks: [Task<Void, Never>] = []
        if let coherence {
            for subscription in coherence.subscriptions {
                tasks.append(
                    Task(executorPreference: executor) { [weak self] in
                        while await subscription.waitForMore() {
                            guard let self else { return }
                            await lookAtChanged(coherence)
                        }
                    })
            }
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

    /// Looks at the observed keys that have changed in the store.
    func lookAtChanged(_ coherence: Coherence<Key, Value>) async {
        while true {
            let keys = cache.withLock { cache in
                cache.catchUp(coherence)
                return cache.takeUnread()
            }
            if keys.isEmpty { return }
            for key in keys {
                let look = await coherence.look(key)
                cache.withLock { $0.absorb(look: look, for: key) }
            }
        }
    }
}
