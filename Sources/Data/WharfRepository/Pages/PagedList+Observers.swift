internal import Synchronization
internal import WharfCore

extension PagedList {
    func add(
        _ observer: AsyncStream<Snapshot<PagedItems<Model>>>.Continuation
    ) -> (id: UInt64, isFirst: Bool)? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.lastObserver += 1
            let isFirst = state.observers.isEmpty
            state.observers[state.lastObserver] = observer
            let snapshot = state.shown
            if snapshot.kept != nil || snapshot.error != nil { observer.yield(snapshot) }
            return (state.lastObserver, isFirst)
        }
    }

    /// Starts the tasks of an observed list, for its first observer.
    func start() {
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
        guard observers.removeValue(forKey: observer) != nil, observers.isEmpty else { return [] }
        defer { ongoing = [] }
        return ongoing
    }
}
