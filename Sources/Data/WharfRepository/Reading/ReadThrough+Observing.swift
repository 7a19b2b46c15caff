internal import Synchronization
internal import WharfCore

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
            background.startOnce(follow)
            if let timer { startTimer(timer) }
            continuation.onTermination = { [self, owner] _ in
                leave(observer, key)
                withExtendedLifetime(owner) {}
            }
            begin(observer, key, policy, isFirst: isFirst)
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
        if let left { return left?.cancel() ?? () }
        Task.detached(executorPreference: executor) { [self] in
            cache.withLock { $0.remove(observer, for: key) }?.cancel()
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
    /// - Parameter isDue: decides by the key, the kept value, and whether an observer waits for a
    ///   network.
    func refreshObserved(where isDue: (Key, Kept?, _ isPaused: Bool) -> Bool) async {
        // Keys that are stale are asked for when the network is back.
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

    /// Refreshes the observed keys that are not fresh, or that wait for a network.
    func refreshStale() async {
        let now = clock.now()
        await refreshObserved { _, kept, isPaused in isPaused || kept?.isFresh(at: now) != true }
    }

    /// Ends all sequences, and the background tasks.
    func close() {
        background.cancel()
        for watch in cache.withLock({ $0.close() }) { watch.finish() }
    }

    /// Starts the tasks that follow the store and the network.
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
            for keys in Array(keys).chunks(of: coherence.looks == nil ? 1 : Self.looksAtOnce) {
                let looks = await coherence.look(keys)
                cache.withLock { cache in
                    for (key, look) in zip(keys, looks) { cache.absorb(look: look, for: key) }
                }
            }
        }
    }

    /// The most keys of one look: more would keep readers waiting for the cache's lock.
    static var looksAtOnce: Int { 100 }
}
