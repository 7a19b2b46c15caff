internal import WharfCore

// For a cache over a store that others change as well.
extension ModelCache {
    /// The store, or the pending changes, have told of a change of a key.
    ///
    /// - Returns: whether the key is observed and has to be looked at.
    @discardableResult
    mutating func note(_ change: ReadMark, of key: Key) -> Bool {
        guard var entry = entries[key] else { return false }
        entry.latest.join(change)
        return suspect(entry, key)
    }

    /// The store could not be read: the key has to be looked at once more.
    mutating func doubt(_ key: Key) {
        guard var entry = entries[key] else { return }
        entry.isDoubtful = true
        suspect(entry, key)
    }

    @discardableResult
    private mutating func suspect(_ entry: Entry, _ key: Key) -> Bool {
        guard !entry.isCurrent else {
            entries[key] = entry
            return false
        }
        forget(key)
        if entry.watches.isEmpty, entry.openRequests == 0, !entry.isAlone {
            entries[key] = nil
            return false
        }
        entries[key] = entry
        if entry.watches.isEmpty { return false }
        unread.insert(key)
        return true
    }

    /// Begins a look at the observed keys that have changed. Each look ends by
    /// ``absorb(look:for:)``.
    mutating func takeUnread() -> Set<Key> {
        // An open commit may be the change itself: its answer tells of it, and brings the key back
        // here if not.
        let due = unread.filter { entries[$0].map { !$0.isCurrent && $0.openCommits == 0 } ?? false }
        unread = unread.filter { (entries[$0]?.openCommits ?? 0) > 0 }
        // Counted, so that the entry stays until the look is over. A new entry would take an old
        // look for a new one.
        for key in due { entries[key]?.openRequests += 1 }
        return due
    }

    /// An answer was committed, or not.
    mutating func endCommit(of key: Key) {
        guard let open = entries[key]?.openCommits, open > 0 else { return }
        entries[key]?.openCommits = open - 1
    }

    /// The key is gone at the origin. A late answer does not bring it back.
    mutating func remove(_ key: Key) {
        guard var entry = entries[key] else { return }
        let now = begin()
        entry.replace(by: nil, at: now)
        (entry.isGone, entry.began) = (true, now)
        entry.tellStored()
        entries[key] = entry
        forget(key)
    }

    /// Whether the value of a key lies in no store.
    func isAlone(_ key: Key) -> Bool { entries[key]?.isAlone ?? false }

    /// Whether the value of a key lies in no store and was made stale before its time.
    func isInvalidated(_ key: Key) -> Bool {
        entries[key].map { $0.isAlone && $0.kept?.staleAt == .distantPast } ?? false
    }

    /// Makes values stale that lie in no store, also those of answers to open requests.
    mutating func makeStale(where isStale: @escaping @Sendable (Key, Kept) -> Bool) {
        let now = begin()
        for (key, entry) in entries {
            if entry.openRequests > 0 { entries[key]?.invalidations.append((now, isStale)) }
            guard let kept = entry.kept, entry.isAlone, isStale(key, kept) else { continue }
            entries[key]?.kept = kept.with(kept.value, staleAt: .some(.distantPast))
            forget(key)
        }
    }

    /// Applies what a look at an observed key has found, and tells its observers if it is another
    /// value.
    ///
    /// A look that has seen less than another one has no effect.
    mutating func absorb(look: Answer<Value>, for key: Key) {
        guard var entry = entries[key] else { return }
        entry.endRequest()
        guard let mark = look.mark, mark.covers(entry.known) else {
            entries[key] = entry.isEmpty ? nil : entry
            return
        }
        let hasProgressed = mark != entry.known
        entry.see(mark)
        defer {
            entries[key] = entry.isEmpty ? nil : entry
            // A look that has seen no more than the one before it is not repeated: that could go on
            // for ever.
            if hasProgressed, !entry.isCurrent, !entry.watches.isEmpty { unread.insert(key) }
            forget(key)
        }
        guard let kept = look.snapshot.kept else {
            // A value that never was in the store stays.
            guard entry.kept != nil, !entry.isAlone else { return }
            entry.replace(by: nil, at: begin())
            return entry.tellStored()
        }
        if entry.isAlone, let alone = entry.kept, kept.asOf < alone.asOf { return }
        guard kept.revision != entry.kept?.revision else { return }
        entry.replace(by: kept, at: begin())
        entry.tellStored()
    }
}
