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

    /// What the first observer sets going.
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

    /// Does not wait for the lock: a reader who is cancelled holds one of its task here, and who
    /// tells it news under this one waits for that.
    func leave(_ observer: UInt64) {
        guard let abandoned = state.withLockIfAvailable({ $0.remove(observer) }) else {
            Task.detached(executorPreference: reader.executor) { [self] in
                for task in state.withLock({ $0.remove(observer) }) { task.cancel() }
            }
            return
        }
        for task in abandoned { task.cancel() }
    }

    /// Ends all sequences, and what goes on for them.
    func close() {
        background.cancel()
        let (observers, ongoing) = state.withLock { state in
            defer { (state.observers, state.ongoing, state.isClosed) = ([:], [], true) }
            return (state.observers, state.ongoing)
        }
        for task in ongoing { task.cancel() }
        for observer in observers.values { observer.finish() }
    }

    /// The keys of the pages that somebody looks at, and what is on them; nil where nobody does.
    var looked: (pages: [PageQuery<Model>], items: [Model])? {
        state.withLock { state in
            guard !state.observers.isEmpty else { return nil }
            return (state.loaded.slots.map { key($0.token) }, state.loaded.slots.flatMap(\.kept.value.items))
        }
    }

    /// Whether anybody observes it by a policy for which what is kept is not good enough.
    var isObserved: Bool { asksAgain && state.withLock { !$0.observers.isEmpty } }

    private var asksAgain: Bool { policy != .cacheOnly && policy != .cacheFirst }
}

extension PagedList.State {
    mutating func tell() {
        shown = loaded.snapshot
        // Yielding only enqueues the reader; under the lock two pieces of news can't overtake each
        // other.
        for observer in observers.values { observer.yield(shown) }
    }

    /// - Returns: what nobody waits for any more.
    mutating func remove(_ observer: UInt64) -> [Task<Void, Never>] {
        guard observers.removeValue(forKey: observer) != nil, observers.isEmpty else { return [] }
        defer { ongoing = [] }
        return ongoing
    }
}
