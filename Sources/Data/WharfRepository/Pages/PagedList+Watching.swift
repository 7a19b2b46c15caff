internal import Synchronization
internal import WharfCore

extension PagedList {
    /// Changes the loaded pages, updates them from below, and tells the observers.
    @discardableResult
    func change<Result>(silently isSilent: Bool = false, _ body: (inout LoadedPages<Model>) -> Result) -> Result {
        state.withLock { state in
            // Lock order: the list, then the cache of its reader. The cache calls no list under its
            // lock: it only yields to the signal.
            let result = body(&state.loaded)
            // In the same step. News that came while the page was read is applied before the
            // observers see the page.
            _ = catchUp(&state)
            if !isSilent { state.tell() }
            return result
        }
    }

    /// Takes in a change from below.
    func takeChangedModels() async {
        if isLocal { return await run(.refresh) }
        state.withLock { state in
            if catchUp(&state) { state.tell() }
        }
    }

    /// Updates the pages from below.
    ///
    /// Called under the lock, so that nothing older can come after it.
    private func catchUp(_ state: inout State) -> Bool {
        guard !isLocal else { return false }
        return reader.lookUp { find in state.loaded.update { token in find(key(token)) } } ?? false
    }

    /// Watches a page. Call it before the page is read, so that no change is missed.
    ///
    /// - Returns: false after the end.
    func watch(_ token: PageToken?) -> Bool {
        background.startOnce(follow)
        return state.withLock { state in
            if state.isClosed { return false }
            if state.watches[token] != nil { return true }
            guard let watch = reader.watch(key(token), signal) else { return false }
            state.watches[token] = watch
            return true
        }
    }

    /// Stops watching pages that are not loaded, if no load is under way.
    func letGo() {
        state.withLock { state in
            // A load watches its page before the page is in the list. Unwatching it now would lose
            // its news.
            guard LoadedPages<Model>.LoadKind.allCases.allSatisfy({ !state.loaded.isUnderWay($0) }) else { return }
            // The first page stays watched, because `begin()` may be reading it.
            let held = Set(state.loaded.slots.map(\.token) + [nil])
            for (token, watch) in state.watches where !held.contains(token) {
                reader.unwatch(key(token), watch)
                state.watches[token] = nil
            }
        }
    }

    func follow() -> [Task<Void, Never>] {
        let news = Task(executorPreference: reader.executor) { [weak self, signals] in
            for await _ in signals {
                guard let self else { return }
                await takeChangedModels()
            }
        }
        guard let connectivity = reader.connectivity else { return [news] }
        let turns = connectivity.changes()
        let reconnect = Task(executorPreference: reader.executor) { [weak self] in
            for await isOnline in turns where isOnline {
                guard let self else { return }
                if state.withLock({ $0.loaded.isPaused }) { await refresh() }
            }
        }
        return [news, reconnect]
    }
}
