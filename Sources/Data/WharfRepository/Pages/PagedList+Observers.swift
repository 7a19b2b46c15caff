internal import Synchronization
internal import WharfCore

extension PagedList {
    func add(
        _ observer: AsyncStream<Snapshot<PagedItems<Model>>>.Continuation
    ) -> (id: UInt64, isFirst: Bool)? {
        state.withLock { state in
            // The check and the registration are one step. An observer that is added after
            // `close()` would never end.
            guard !state.isClosed else { return nil }
            state.lastObserver += 1
            let isFirst = state.observers.isEmpty
            state.observers[state.lastObserver] = observer
            let snapshot = state.shown
            // In the step that adds the observer: news between the two would come before this older
            // snapshot.
            if snapshot.kept != nil || snapshot.error != nil { observer.yield(snapshot) }
            return (state.lastObserver, isFirst)
        }
    }

    /// Starts the tasks of an observed list, for its first observer.
    func start() {
        // Before the first look, so that no news is missed.
        background.startOnce(follow)
        var tasks = [Task(executorPreference: reader.executor) { [self] in await begin() }]
        if asksAgain, let timer = reader.timer {
            tasks.append(
                Task(executorPreference: reader.executor) { [weak self] in
                    while await timer.pause() {
                        guard let self else { return }
                        if !reader.isOffline { await refresh() }
                    }
                })
        }
        let isAbandoned = state.withLock { state in
            // The observer may have left while the tasks were made, or another one has started its
            // own. Either way these have no owner.
            guard !state.observers.isEmpty, state.ongoing.isEmpty else { return true }
            state.ongoing = tasks
            return false
        }
        if isAbandoned { for task in tasks { task.cancel() } }
    }

    /// Removes an observer without waiting for the lock.
    ///
    /// A cancelled reader calls this while it holds a lock of its task. A thread that tells it news
    /// under the list's lock waits for the lock of that task. To wait here would be a deadlock.
    func leave(_ observer: UInt64) {
        guard let abandoned = state.withLockIfAvailable({ $0.remove(observer) }) else {
            // A free thread may wait for the lock. Until then the list may yield to the ended
            // stream, which has no effect.
            Task.detached(executorPreference: reader.executor) { [self] in
                for task in state.withLock({ $0.remove(observer) }) { task.cancel() }
            }
            return
        }
        for task in abandoned { task.cancel() }
    }

    /// Ends all sequences, and the tasks that run for them.
    func close() {
        background.cancel()
        let (observers, ongoing) = state.withLock { state in
            defer { (state.observers, state.ongoing, state.isClosed) = ([:], [], true) }
            return (state.observers, state.ongoing)
        }
        for task in ongoing { task.cancel() }
        // Outside of the lock: `finish()` calls the termination handler, which tries to take it.
        for observer in observers.values { observer.finish() }
    }

    /// The keys of the observed pages, with their items; nil without an observer.
    var looked: (pages: [PageQuery<Model>], items: [Model])? {
        state.withLock { state in
            guard !state.observers.isEmpty else { return nil }
            return (state.loaded.slots.map { key($0.token) }, state.loaded.slots.flatMap(\.kept.value.items))
        }
    }

    /// Whether the list is observed by a policy that wants more than the kept value.
    var isObserved: Bool { asksAgain && state.withLock { !$0.observers.isEmpty } }

    private var asksAgain: Bool { policy != .cacheOnly && policy != .cacheFirst }
}

extension PagedList.State {
    mutating func tell() {
        shown = loaded.snapshot
        // Yielding only enqueues the reader. Under the lock two snapshots can't overtake each
        // other.
        for observer in observers.values { observer.yield(shown) }
    }

    /// Removes an observer.
    ///
    /// - Returns: the tasks that no observer needs any more.
    mutating func remove(_ observer: UInt64) -> [Task<Void, Never>] {
        // A second removal of the same observer must not end the tasks of a new one.
        guard observers.removeValue(forKey: observer) != nil, observers.isEmpty else { return [] }
        defer { ongoing = [] }
        return ongoing
    }
}
