internal import WharfCore

// A cache over a store, which other repositories and processes change as well.
extension ModelCache {
    /// Notes a change of a key that the store, or the pending changes, have told of.
    ///
    /// - Returns: whether the key is observed and has to be looked at.
    @discardableResult
    mutating func note(_ change: ReadMark, of key: Key) -> Bool {
        guard var entry = entries[key] else { return false }
        entry.latest.join(change)
        return suspect(entry, key)
    }

    /// Notes that changes may have been missed, so that the key is looked at again.
    ///
    /// The store's changes could not be read.
    mutating func doubt(_ key: Key) {
        guard var entry = entries[key] else { return }
        entry.isDoubtful = true
        suspect(entry, key)
    }

    @discardableResult
    private mutating func suspect(_ entry: Entry, _ key: Key) -> Bool {
        // A look has seen this change already, as for the own commit that comes back as news.
        guard !entry.isCurrent else {
            entries[key] = entry
            return false
        }
        forget(key)
        // No caller needs the outdated value. The next read looks at the store.
        if entry.watches.isEmpty, entry.openRequests == 0, !entry.isAlone {
            entries[key] = nil
            return false
        }
        entries[key] = entry
        if entry.watches.isEmpty { return false }
        unread.insert(key)
        return true
    }

    /// Takes the observed keys that have changed, for a look at each.
    ///
    /// Each look ends by ``absorb(look:for:)``.
    mutating func takeUnread() -> Set<Key> {
        // An answer that is being committed may be the change itself. When it lands it tells of the
        // change, or makes the key unread again.
        let due = unread.filter { entries[$0].map { !$0.isCurrent && $0.openCommits == 0 } ?? false }
        unread = unread.filter { (entries[$0]?.openCommits ?? 0) > 0 }
        // Counted as a request, so that the entry stays until the look is over. A new entry knows
        // no mark, and would take an old look for a new one.
        for key in due { entries[key]?.openRequests += 1 }
        return due
    }

    /// Notes that the commit of an answer has ended, with or without success.
    mutating func endCommit(of key: Key) {
        guard let open = entries[key]?.openCommits, open > 0 else { return }
        entries[key]?.openCommits = open - 1
    }

    /// Removes a key that is gone at the origin. A late answer does not bring it back.
    mutating func remove(_ key: Key) {
        guard var entry = entries[key] else { return }
        let now = begin()
        entry.replace(by: nil, at: now)
        // The number of now is greater than that of each open request. Their answers are late,
        // unless the store's order decides.
        (entry.isGone, entry.began) = (true, now)
        entry.tellStored()
        entries[key] = entry
        forget(key)
    }

    /// Whether the value of a key lies in no store.
    func isAlone(_ key: Key) -> Bool { entries[key]?.isAlone ?? false }

    /// Makes values stale that lie in no store, also in answers to open requests.
    mutating func makeStale(where isStale: @escaping @Sendable (Key, Kept) -> Bool) {
        let now = begin()
        for (key, entry) in entries {
            if entry.openRequests > 0 { entries[key]?.invalidations.append((now, isStale)) }
            guard let kept = entry.kept, entry.isAlone, isStale(key, kept) else { continue }
            entries[key]?.kept = kept.with(kept.value, staleAt: .some(.distantPast))
            forget(key)
        }
    }

    /// Applies a look at an observed key, and tells its observers if the value differs.
    ///
    /// A look that has seen less than an earlier one has no effect. After a failed look the key
    /// stays unread.
    mutating func absorb(look: MarkedAnswer<Value>, for key: Key) {
        guard var entry = entries[key] else { return }
        entry.endRequest()
        // An older look, or none. It neither replaces the value nor moves the mark back.
        guard let mark = look.mark, mark.covers(entry.known) else {
            entries[key] = entry.isEmpty ? nil : entry
            // The store could not be read. Without another look the observers would keep the old
            // value until the key changes again.
            if look.isRepeatable, !entry.isCurrent, !entry.watches.isEmpty { unread.insert(key) }
            return
        }
        let hasProgressed = mark != entry.known
        entry.see(mark)
        defer {
            entries[key] = entry.isEmpty ? nil : entry
            // A look that has seen no more than the one before it is not repeated. Otherwise this
            // could go on for ever.
            if hasProgressed, !entry.isCurrent, !entry.watches.isEmpty { unread.insert(key) }
            forget(key)
        }
        guard let kept = look.snapshot.kept else {
            // A value that never was in the store stays.
            guard entry.kept != nil, !entry.isAlone else { return }
            entry.replace(by: nil, at: begin())
            return entry.tellStored()
        }
        // A `no-store` value in memory is newer than the row, which must not replace it.
        if entry.isAlone, let alone = entry.kept, kept.asOf < alone.asOf { return }
        // The look has found the value that is here, so the observers have it.
        guard kept.revision != entry.kept?.revision else { return }
        entry.replace(by: kept, at: begin())
        entry.tellStored()
    }
}
