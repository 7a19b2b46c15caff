internal import WharfCore

extension ModelCache {
    /// - Returns: nil when the cache is closed.
    mutating func add(_ observer: Watch<Value>.Observer, for key: Key, _ policy: ReadPolicy) -> UInt64? {
        guard !isClosed else { return nil }
        let id = begin()
        entries[key, default: Entry()].watches[id] = Watch(observer: observer, policy: policy)
        return id
    }

    mutating func remove(_ observer: UInt64, for key: Key) {
        entries[key]?.watches[observer] = nil
        if entries[key]?.isEmpty == true { entries[key] = nil }
    }

    /// Tells one observer its first snapshot, or what has become known meanwhile if that is newer.
    ///
    /// - Parameter refresh: how the network is asked next; nil if it is not.
    mutating func tell(_ observer: UInt64, of key: Key, _ snapshot: Snapshot<Value>, refresh: CacheMode?) {
        let (snapshot, now) = (newest(snapshot, key), begin())
        entries[key]?.watches[observer]?.start(snapshot, refresh, at: now)
    }

    /// Begins an observer that has seen what is known.
    mutating func begin(_ observer: UInt64, of key: Key) {
        let known = Snapshot(kept: kept(key))
        entries[key]?.watches[observer]?.begin(knowing: known)
    }

    /// Tells one observer its first snapshot; its refresh waits for a network.
    mutating func pause(_ observer: UInt64, of key: Key, _ snapshot: Snapshot<Value>) {
        let snapshot = newest(snapshot, key)
        entries[key]?.watches[observer]?.pause(snapshot)
    }

    private func newest(_ snapshot: Snapshot<Value>, _ key: Key) -> Snapshot<Value> {
        guard let known = kept(key), let told = snapshot.kept else { return snapshot }
        // What was known when the snapshot was made can only have been replaced by something newer.
        let isNewer = known.revision == nil ? known.asOf > told.asOf : known.revision != told.revision
        return isNewer ? Snapshot(kept: known, error: snapshot.error) : snapshot
    }

    /// Ends the refresh of an observer whose answer was no news to the others.
    mutating func settle(
        _ observer: UInt64, of key: Key, _ answer: ReadThrough<Key, Value>.Landed, _ mode: CacheMode
    ) {
        let newer = hasSince(answer.landed, key) ? kept(key) : nil
        entries[key]?.watches[observer]?.settle(
            answer.merged, raw: answer.raw, mode, landed: answer.landed, newer: newer)
    }

    /// Ends the refresh of all observers that waited for an answer.
    mutating func settle(of key: Key, _ answer: ReadThrough<Key, Value>.Landed, _ mode: CacheMode) {
        for id in entries[key].map({ Array($0.watches.keys) }) ?? [] { settle(id, of: key, answer, mode) }
    }

    /// Begins a refresh of observed keys, and tells their observers so.
    ///
    /// - Returns: what to ask, and how.
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

    /// - Returns: the observers, to be finished outside of the lock: their ends take it again.
    mutating func close() -> [Watch<Value>] {
        for key in entries.keys { forget(key) }
        defer { (entries, isClosed) = ([:], true) }
        return entries.values.flatMap(\.watches.values)
    }
}
