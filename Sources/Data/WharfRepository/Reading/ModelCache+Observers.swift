internal import WharfCore

extension ModelCache {
    /// Adds an observer of a key.
    ///
    /// - Returns: the number of the observer; nil if the cache is closed.
    mutating func add(_ observer: Watch<Value>.Observer, for key: Key, _ policy: ReadPolicy) -> UInt64? {
        guard !isClosed else { return nil }
        let id = begin()
        entries[key, default: Entry()].watches[id] = Watch(observer: observer, policy: policy)
        return id
    }

    /// Removes an observer.
    ///
    /// - Returns: the observer's task. Cancel it after the lock is released: its end takes the
    ///   lock.
    @discardableResult
    mutating func remove(_ observer: UInt64, for key: Key) -> Task<Void, Never>? {
        let watch = entries[key]?.watches.removeValue(forKey: observer)
        if entries[key]?.isEmpty == true { entries[key] = nil }
        return watch?.task
    }

    /// Starts an observer as one that has seen the known value.
    mutating func begin(_ observer: UInt64, of key: Key) {
        let known = Snapshot(kept: kept(key))
        entries[key]?.watches[observer]?.begin(knowing: known)
    }

    /// Tells one observer its first snapshot.
    ///
    /// - Parameters:
    ///   - look: its look, after it has landed; nil if its policy does not look.
    ///   - refresh: the refresh that follows.
    mutating func start(_ observer: UInt64, of key: Key, after look: AppliedAnswer?, _ refresh: Watch<Value>.Refresh) {
        guard let entry = entries[key] else { return }
        let now = begin()
        var first = look.map { entry.state(after: $0) } ?? Snapshot(kept: kept(key))
        // An empty look is no news while the network is still to be asked.
        if refresh != .none, first.error?.code == .nothingKept { first = Snapshot(kept: first.kept) }
        if refresh == .paused { first = Snapshot(kept: first.kept, error: .offline) }
        entries[key]?.watches[observer]?.start(first, refresh, at: now)
    }

    /// Ends an observer's refresh with its answer, unless the news of it has done so.
    mutating func settle(_ observer: UInt64, of key: Key, _ answer: AppliedAnswer, _ mode: CacheMode) {
        guard let entry = entries[key] else { return }
        let (state, isOutdated) = (entry.state(after: answer), entry.isOutdated(answer))
        entries[key]?.watches[observer]?.settle(
            answer.raw, state, mode, landed: answer.moment, isLate: answer.isLate, isOutdated: isOutdated)
    }

    /// Ends the refresh of all observers that waited for an answer.
    mutating func settle(of key: Key, _ answer: AppliedAnswer, _ mode: CacheMode) {
        for id in entries[key].map({ Array($0.watches.keys) }) ?? [] { settle(id, of: key, answer, mode) }
    }

    /// Begins a refresh of the observed keys that are due, and tells their observers.
    ///
    /// - Returns: the keys to ask for, each with its mode.
    mutating func startRefreshes(where isDue: (Key, Kept?, _ isPaused: Bool) -> Bool) -> [(Key, CacheMode)] {
        var due: [(Key, CacheMode)] = []
        let now = begin()
        for (key, entry) in entries where !entry.watches.isEmpty {
            guard isDue(key, entry.kept, entry.watches.values.contains(where: \.isPaused)) else { continue }
            for mode in Set(entry.watches.values.compactMap(\.refreshMode)) {
                due.append((key, mode))
                for (id, watch) in entry.watches where watch.refreshMode == mode {
                    entries[key]?.watches[id]?.startRefresh(mode, at: now)
                }
            }
        }
        return due
    }

    /// Closes the cache.
    ///
    /// - Returns: the observers. Finish them after the lock is released: their ends take it again.
    mutating func close() -> [Watch<Value>] {
        for key in entries.keys { forget(key) }
        defer { (entries, isClosed) = ([:], true) }
        return entries.values.flatMap(\.watches.values)
    }
}
