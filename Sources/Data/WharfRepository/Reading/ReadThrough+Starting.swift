internal import Synchronization
internal import WharfCore

// The first snapshots of an observer: the stored value, then the network's answer, as its policy
// says.
extension ReadThrough {
    /// Adds an observer; ``begin(_:_:_:isFirst:)`` follows.
    ///
    /// - Returns: nil when the cache is closed.
    func add(
        _ continuation: Watch<Value>.Observer, _ key: Key, _ policy: ReadPolicy
    ) -> (observer: UInt64, isFirst: Bool)? {
        let isLooking = looksWithOthers(policy)
        return cache.withLock { cache in
            cache.add(continuation, for: key, policy).map { observer in
                (observer, isFirst: isLooking && cache.starting.append(observer, key))
            }
        }
    }

    /// Begins an observer that was added.
    ///
    /// - Parameter isFirst: whether it is the first of the observers that wait for a look.
    func begin(_ observer: UInt64, _ key: Key, _ policy: ReadPolicy, isFirst: Bool) {
        if let coherence, looksWithOthers(policy) {
            // Detached, because the first observer's priority and task-local values are not those
            // of the others.
            if isFirst { Task.detached(executorPreference: executor) { [self] in await serveStarting(coherence) } }
            return
        }
        let task = Task(executorPreference: executor) { [self] in
            await holding(key) { await begin(observer, key, policy, knowing: nil) }
        }
        if !cache.withLock({ $0.set(task, observer, key) }) { task.cancel() }
    }

    private func looksWithOthers(_ policy: ReadPolicy) -> Bool {
        coherence?.looks != nil && (policy.looksFirst || policy == .standard)
    }

    /// Tells waiting observers their first snapshots, many by one look.
    private func serveStarting(_ coherence: Coherence<Key, Value>) async {
        while true {
            let starting = cache.withLock { $0.starting.take() }
            if starting.isEmpty { return }
            for starting in starting.chunks(of: Self.looksAtOnce) {
                let began = cache.withLock { cache in
                    cache.catchUp(coherence)
                    return starting.map { cache.ask($0.key) }
                }
                let answers = await coherence.look(starting.map(\.key))
                cache.withLock { cache in
                    cache.catchUp(coherence)
                    for (index, answer) in answers.enumerated() {
                        land(answer, began[index], starting[index].observers, starting[index].key, &cache)
                    }
                }
            }
        }
    }

    private func land(
        _ answer: Answer<Value>, _ began: UInt64, _ observers: [UInt64], _ key: Key,
        _ cache: inout ModelCache<Key, Value>
    ) {
        // A look without a row, or from before a change, is not enough: the observer's own task
        // asks again.
        let isEnough = answer.snapshot.kept != nil && answer.mark.map { cache.isUpToDate($0, key) } ?? false
        let landed =
            isEnough ? cache.absorb(answer, for: key, .storedOnly, began: began, at: clock.now()) : nil
        if landed == nil { cache.release(key) }
        for observer in observers {
            guard let policy = cache.entries[key]?.watches[observer]?.policy else { continue }
            if let landed, isSettled(policy, landed.merged) {
                cache.start(observer, of: key, after: landed, .none)
                continue
            }
            // Held from here on, so that a change between the look and the request is noted.
            cache.hold(key)
            let task = Task(executorPreference: executor) { [self] in
                defer { self.cache.withLock { $0.release(key) } }
                guard let landed else { return await begin(observer, key, policy, knowing: answer.look) }
                await refresh(observer, key, policy, after: landed)
            }
            _ = cache.set(task, observer, key)
        }
    }

    /// - Parameter look: a look at the store, which is used if nothing has changed since.
    private func begin(
        _ observer: UInt64, _ key: Key, _ policy: ReadPolicy, knowing look: Look<Value>?
    ) async {
        guard policy.looksFirst || policy == .standard else {
            return await refresh(observer, key, policy, after: nil)
        }
        let stored = await ask(key, .storedOnly, knowing: look)
        if isSettled(policy, stored.merged) {
            return cache.withLock { $0.start(observer, of: key, after: stored, .none) }
        }
        await refresh(observer, key, policy, after: stored)
    }

    private func isSettled(_ policy: ReadPolicy, _ stored: Snapshot<Value>) -> Bool {
        switch policy {
        case .cacheOnly: true
        case .cacheFirst: stored.kept != nil || stored.error?.isAnswer == true
        case .standard: stored.kept?.isFresh(at: clock.now()) == true && stored.error == nil
        default: false
        }
    }

    private func refresh(_ observer: UInt64, _ key: Key, _ policy: ReadPolicy, after look: AppliedAnswer?) async {
        guard let mode = networkMode(key, policy) else { return }
        if isOffline {
            cache.withLock { $0.start(observer, of: key, after: look, .paused) }
            // The network may have come back before the pause was noted. Then no event would end
            // the pause.
            guard !isOffline else { return }
        }
        cache.withLock { $0.start(observer, of: key, after: look, .underWay(mode)) }
        // The flight tells the observers of the key if there is news. This observer's refresh ends
        // in any case.
        let answer = await ask(key, mode, knowing: look?.look)
        cache.withLock { $0.settle(observer, of: key, answer, mode) }
    }
}

extension ModelCache {
    /// - Returns: false if the observer has left.
    fileprivate mutating func set(_ task: Task<Void, Never>, _ observer: UInt64, _ key: Key) -> Bool {
        guard entries[key]?.watches[observer] != nil else { return false }
        entries[key]?.watches[observer]?.task = task
        return true
    }
}
