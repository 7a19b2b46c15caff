internal import Synchronization
internal import WharfCore

// The first snapshots of an observer: the stored value, then the network's answer, as its policy
// says. An observer has no task of its own. It has a place in a request, and the task of the
// request tells it.
extension ReadThrough {
    typealias Cache = ModelCache<Key, Value>

    /// Adds an observer; ``begin(_:_:isFirst:)`` follows.
    ///
    /// - Returns: nil when the cache is closed.
    func add(
        _ continuation: ObserverState<Value>.Observer, _ key: Key, _ policy: ReadPolicy
    ) -> (observer: UInt64, isFirst: Bool?)? {
        let looks = policy.looksFirst || policy == .standard
        return cache.withLock { cache in
            guard let observer = cache.add(continuation, for: key, policy) else { return nil }
            if looks { cache.entries[key]?.waitingForLook.append(observer) }
            return (observer, looks && coherence?.looks != nil ? cache.starting.insert(key) : nil)
        }
    }

    /// Begins an observer that was added.
    ///
    /// - Parameter isFirst: whether it is the first of the observers that wait for a look at many
    ///   keys; nil if it does not wait for one.
    func begin(_ observer: UInt64, _ key: Key, isFirst: Bool?) {
        guard let isFirst else { return cache.withLock { begin(observer, key, knowing: nil, &$0) } }
        guard isFirst, let coherence else { return }
        // Detached, because the first observer's priority and task-local values are not those of
        // the others.
        Task.detached(executorPreference: executor) { [self] in await serveStarting(coherence) }
    }

    /// Looks at the keys of waiting observers, many by one look.
    private func serveStarting(_ coherence: Coherence<Key, Value>) async {
        while true {
            let (isOver, starting) = cache.withLock { cache in
                let keys = cache.starting.take()
                // An earlier look may have served observers that came while it was under way. Their
                // key would be read once more for no observer.
                return (keys.isEmpty, keys.filter { key in cache.entries[key]?.withoutPlace.isEmpty == false })
            }
            if isOver { return }
            for keys in starting.chunks(of: Self.looksAtOnce) {
                let began = cache.withLock { cache in
                    cache.catchUp(coherence)
                    return keys.map { cache.ask($0) }
                }
                let answers = await coherence.look(keys)
                let left = cache.withLock { cache in
                    // Again after the look: a change that came meanwhile makes the look outdated,
                    // and `land` must see that.
                    cache.catchUp(coherence)
                    return answers.indices.flatMap { land(answers[$0], began[$0], keys[$0], &cache) }
                }
                for place in left { place.leave() }
            }
        }
    }

    /// - Returns: places to leave after the lock is released.
    private func land(
        _ answer: MarkedAnswer<Value>, _ began: UInt64, _ key: Key, _ cache: inout Cache
    ) -> [ObserverState<Value>.Place] {
        // A look without a row, or from before a change, is not enough: the request of an observer
        // looks again.
        guard answer.snapshot.kept != nil, answer.mark.map({ cache.isUpToDate($0, key) }) ?? false else {
            for observer in cache.entries[key]?.withoutPlace ?? [] {
                begin(observer, key, knowing: answer.look, &cache)
            }
            cache.release(key)
            return []
        }
        let landed = cache.absorb(answer, for: key, .storedOnly, began: began, at: clock.now())
        return serveWaiting(key, after: landed, nil, &cache)
    }

    /// Gives an observer a place in a request. If it waits for a look, the request looks first.
    ///
    /// - Parameter look: a look at the store, which is used if nothing has changed since.
    private func begin(_ observer: UInt64, _ key: Key, knowing look: StoreRead<Value>?, _ cache: inout Cache) {
        guard let entry = cache.entries[key], let policy = entry.watches[observer]?.policy else { return }
        guard policy.looksFirst || policy == .standard else {
            refresh(observer, key, policy, after: nil, &cache)
            return
        }
        // One request looks, and then asks the network. A request that has looked already is of no
        // use for the first snapshot.
        if let mode = networkMode(key, policy, cache), !isOffline, entry.refresh.mayBegin(at: clock.now()),
            entry.refresh.isLooking(mode) || !entry.refresh.isOpen(mode)
        {
            _ = join(observer, key, mode, looksFirst: true, knowing: look, &cache)
        } else {
            _ = join(observer, key, .storedOnly, knowing: look, &cache)
        }
    }

    func isSettled(_ policy: ReadPolicy, _ stored: Snapshot<Value>) -> Bool {
        switch policy {
        case .cacheOnly: true
        case .cacheFirst: stored.kept != nil || stored.error?.isAnswer == true
        case .standard: stored.kept?.isFresh(at: clock.now()) == true && stored.error == nil
        default: false
        }
    }

    /// Tells the observers that have waited for a look their first snapshots.
    ///
    /// - Parameter mode: the mode of the request that has looked, if it asks the network next.
    /// - Returns: places that are not needed any more. Leave them after the lock is released.
    func serveWaiting(
        _ key: Key, after look: AppliedAnswer, _ mode: CacheMode?, _ cache: inout Cache
    ) -> [ObserverState<Value>.Place] {
        var left: [ObserverState<Value>.Place?] = []
        let waiting = cache.takeWaiting(key)
        if let mode {
            let asks = waiting.contains { $0.mode == mode && !isSettled($0.policy, look.merged) }
            // In the step that serves the waiting observers. One that came later would wait for a
            // look that is over.
            cache.changeRefresh(of: key) { refresh in
                refresh.endLook(mode)
                if asks { refresh.ask(mode) }
            }
        }
        for (observer, policy, placed) in waiting {
            if isSettled(policy, look.merged) {
                cache.start(observer, of: key, after: look, isSettled: true)
                left.append(cache.set(nil, observer, key))
            } else if let mode, placed == mode {
                cache.start(observer, of: key, after: look, isSettled: false)
            } else {
                left.append(refresh(observer, key, policy, after: look, &cache))
            }
        }
        return left.compactMap(\.self)
    }

    /// Joins a request to the network, and tells the observer its first snapshot.
    ///
    /// - Returns: the observer's place before. Leave it after the lock is released.
    @discardableResult
    private func refresh(
        _ observer: UInt64, _ key: Key, _ policy: ReadPolicy, after look: AppliedAnswer?, _ cache: inout Cache
    ) -> ObserverState<Value>.Place? {
        guard let mode = networkMode(key, policy, cache) else { return nil }
        if isOffline, cache.entries[key]?.refresh.isPaused == false {
            cache.changeRefresh(of: key) { $0.pauseOffline() }
        }
        // The network may have come back before the pause was noted. Then no event would end the
        // pause.
        let mayBegin = cache.entries[key].map { $0.refresh.isOpen(mode) || $0.refresh.mayBegin(at: clock.now()) }
        var former: ObserverState<Value>.Place?
        if !isOffline, mayBegin == true {
            former = join(observer, key, mode, knowing: look?.look, continuing: look?.descent, &cache)
        }
        cache.start(observer, of: key, after: look, isSettled: false)
        return former
    }

    /// Gives an observer a place in a request.
    ///
    /// - Returns: its place before.
    private func join(
        _ observer: UInt64, _ key: Key, _ mode: CacheMode, looksFirst: Bool = false, knowing look: StoreRead<Value>?,
        continuing descent: Descent<Value>? = nil, _ cache: inout Cache
    ) -> ObserverState<Value>.Place? {
        guard let ticket = join(key, mode, looksFirst: looksFirst, knowing: look, continuing: descent, &cache) else {
            return nil
        }
        return cache.set(.init(mode: mode) { [flights] in flights.leave(ticket) }, observer, key)
    }
}
