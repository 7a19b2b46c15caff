internal import WharfCore

extension ModelCache {
    /// Adds an observer of a key.
    ///
    /// - Returns: the number of the observer; nil if the cache is closed.
    mutating func add(_ observer: ObserverState<Value>.Observer, for key: Key, _ policy: ReadPolicy) -> UInt64? {
        guard !isClosed else { return nil }
        let id = begin()
        entries[key, default: Entry()].watches[id] = ObserverState(observer: observer, policy: policy)
        return id
    }

    /// Removes an observer.
    ///
    /// - Returns: the observer's place in a request. Leave it after the lock is released: the end
    ///   of the request takes the lock.
    @discardableResult
    mutating func remove(_ observer: UInt64, for key: Key) -> ObserverState<Value>.Place? {
        let watch = entries[key]?.watches.removeValue(forKey: observer)
        if entries[key]?.isEmpty == true { entries[key] = nil }
        return watch?.place
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
    ///   - isSettled: whether the look is all that its policy wants.
    mutating func start(_ observer: UInt64, of key: Key, after look: AppliedAnswer?, isSettled: Bool) {
        guard let policy = entries[key]?.watches[observer]?.policy, let refresh = entries[key]?.refresh else { return }
        var first = look.flatMap { entries[key]?.state(after: $0) } ?? Snapshot(kept: kept(key))
        if !isSettled { first = refresh.first(first, policy) }
        entries[key]?.watches[observer]?.start(first, refresh)
    }

    /// Gives an observer a place in a request.
    ///
    /// - Returns: its place before. Leave it after the lock is released.
    mutating func set(
        _ place: ObserverState<Value>.Place?, _ observer: UInt64, _ key: Key
    ) -> ObserverState<Value>.Place? {
        let former = entries[key]?.watches[observer]?.place
        entries[key]?.watches[observer]?.place = place
        return former
    }

    /// Takes the observers that wait for a look, with their policies.
    mutating func takeWaiting(_ key: Key) -> [(observer: UInt64, policy: ReadPolicy, mode: CacheMode?)] {
        guard let waiting = entries[key]?.waitingForLook, !waiting.isEmpty else { return [] }
        entries[key]?.waitingForLook = []
        return waiting.compactMap { observer in
            entries[key]?.watches[observer].map { (observer, $0.policy, $0.place?.mode) }
        }
    }

    // MARK: Refreshes

    /// Changes the state of a key's refreshes, and tells the observers.
    mutating func changeRefresh(of key: Key, _ change: (inout RefreshState) -> Void) {
        guard var entry = entries[key] else { return }
        change(&entry.refresh)
        for id in entry.watches.keys { entry.watches[id]?.tell(entry.refresh) }
        entries[key] = entry
    }

    /// Returns the observed keys that are due, each with the modes that its observers want.
    ///
    /// - Parameter now: leaves out the keys in the pause after a failure; nil for none.
    func dueRefreshes(
        sparingPausesAt now: WallTime? = nil, where isDue: (Key, Kept?, _ isPaused: Bool) -> Bool
    ) -> [(Key, CacheMode)] {
        var due: [(Key, CacheMode)] = []
        for (key, entry) in entries where !entry.watches.isEmpty {
            let mayBegin = now.map { entry.refresh.mayBegin(at: $0) } ?? true
            guard mayBegin, isDue(key, entry.kept, entry.refresh.isPaused) else { continue }
            // Observers of one mode share a request. `networkOnly` observers need one that bypasses
            // the cache below.
            let modes = Set(entry.watches.values.compactMap { $0.refreshMode(isPaused: entry.refresh.isPaused) })
            due += modes.map { (key, $0) }
        }
        return due
    }

    /// Closes the cache.
    ///
    /// - Returns: the observers. Finish them after the lock is released: their ends take it again.
    mutating func close() -> [ObserverState<Value>] {
        // The hot cache would otherwise answer reads after the end.
        for key in entries.keys { forget(key) }
        defer { (entries, isClosed) = ([:], true) }
        return entries.values.flatMap(\.watches.values)
    }
}
