internal import WharfCore

// Where a store lies below, which others may change.
extension Shelf {
    /// The store has something else under these keys, or nothing.
    ///
    /// - Returns: those of them that are observed, and have to be read again.
    mutating func changed(_ keys: some Sequence<Key>) -> [Key] {
        let now = begin()
        var observed: [Key] = []
        for key in keys {
            guard let entry = entries[key] else { continue }
            forget(key)
            entries[key]?.changed = now
            // What is in no store stays until the store is seen to have something newer.
            if entry.watches.isEmpty, entry.openQuestions == 0, entry.kept?.stamp != nil {
                entries[key] = nil
            } else {
                entries[key]?.isSuspect = true
                if !entry.watches.isEmpty { observed.append(key) }
            }
        }
        return observed
    }

    /// It is gone at the origin; a late answer does not bring it back.
    mutating func remove(_ key: Key) {
        guard var entry = entries[key] else { return }
        (entry.kept, entry.isGone, entry.began) = (nil, true, begin())
        for id in entry.watches.keys { entry.watches[id]?.tell(stored: Snapshot(kept: nil, error: .nothingKept)) }
        entries[key] = entry
        forget(key)
    }

    /// Whether a value is held that is in no store.
    func isHeldAlone(_ key: Key) -> Bool { entries[key]?.kept.map { $0.stamp == nil } ?? false }

    /// Makes what is in no store stale, where that is said of it.
    mutating func makeStale(where isStale: (Key, Kept) -> Bool) {
        for (key, entry) in entries {
            guard let kept = entry.kept, kept.stamp == nil, isStale(key, kept) else { continue }
            entries[key]?.kept = kept.with(kept.value, staleAt: .some(.distantPast))
            forget(key)
        }
    }

    /// The answer of an open question goes into the store now.
    mutating func expect(_ stamp: Int, for key: Key, of question: UInt64) { entries[key]?.expected[stamp] = question }

    /// Takes in what the store has now under an observed key, and tells its observers where it is another.
    ///
    /// - Returns: false where something came while the store was looked at: it has to be looked at again.
    mutating func absorbStored(_ stored: Snapshot<Value>, for key: Key, began: UInt64) -> Bool {
        guard var entry = entries[key] else { return true }
        let isSame = stored.kept?.stamp != nil && stored.kept?.stamp == entry.kept?.stamp
        guard isSame || began >= max(entry.began, entry.came) else { return false }
        defer {
            entries[key] = entry.isEmpty ? nil : entry
            forget(key)
        }
        guard let kept = stored.kept else {
            // It could not be read, or it never was in the store.
            guard stored.error?.code == .nothingKept, entry.kept?.stamp != nil || entry.isUntold else {
                return true
            }
            (entry.kept, entry.isSuspect, entry.isUntold) = (nil, false, false)
            for id in entry.watches.keys { entry.watches[id]?.tell(stored: stored) }
            return true
        }
        if let stamp = kept.stamp, entry.expected[stamp] != nil {
            entry.awaited = stamp
            return true
        }
        entry.isSuspect = began < entry.changed
        if let known = entry.kept, kept.isOlder(than: known) { return true }
        guard entry.isUntold || entry.kept?.stamp != kept.stamp else { return true }
        (entry.kept, entry.came, entry.isGone, entry.isUntold) = (kept, begin(), false, false)
        for id in entry.watches.keys { entry.watches[id]?.tell(stored: Snapshot(kept: kept, error: entry.failure)) }
        return true
    }
}
