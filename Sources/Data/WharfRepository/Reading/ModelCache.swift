internal import WharfCore

/// The newest value of each key, how far it was looked at, and its observers.
///
/// It is a value type without tasks. Each rule for which value replaces another is here, or in
/// ``RowChoice/resolve(_:_:)``.
///
/// Values have one of two orders. A value that lies in a store has the order of the store's
/// versions (``ReadMark``). A value lies in no store if it came with `no-store`, or if there is no
/// store. It has the order of the requests.
struct ModelCache<Key: Hashable & Sendable, Value: Sendable> {
    typealias Kept = Snapshot<Value>.Kept

    struct Entry {
        var kept: Kept?
        /// The mark of the look that found ``kept``, or that found nothing.
        ///
        /// Invariant: it only rises while the entry exists.
        var known = ReadMark.none
        /// Whether a look has found ``kept``, or that there is nothing.
        var isLookedAt = false
        /// The last change of the key that the store or the pending changes have told of.
        var latest = ReadMark.none
        /// Whether changes may have been missed, as the store could not be read.
        var isDoubtful = false
        /// When the request of the last applied answer began, in the order of requests.
        var began: UInt64 = 0
        /// When ``kept`` came or went, in the order of requests.
        var changed: UInt64 = 0
        var isGone = false
        /// Invalidations since the first open request began.
        ///
        /// Each has its moment in the order of requests.
        var invalidations: [(moment: UInt64, isStale: @Sendable (Key, Kept) -> Bool)] = []
        var refresh = RefreshState()
        var openRequests = 0
        /// The number of answers that are being committed to the store.
        ///
        /// While there are any, a change that the store tells of may be such an answer. A look at
        /// it would tell the observers twice, first with a stored value.
        var openCommits = 0
        var lastUsed: UInt64 = 0
        var watches: [UInt64: ObserverState<Value>] = [:]
        /// The observers whose first snapshot comes with the next look.
        var waitingForLook: [UInt64] = []

        /// The observers among ``waitingForLook`` that have no place in a request either.
        var withoutPlace: [UInt64] { waitingForLook.filter { id in watches[id].map { $0.place == nil } ?? false } }

        var isEmpty: Bool { kept == nil && !isGone && openRequests == 0 && watches.isEmpty }

        /// Whether nothing has changed since the key was looked at.
        var isCurrent: Bool { !isDoubtful && known.covers(latest) }

        /// Whether ``kept`` lies in no store.
        var isAlone: Bool { kept.map { $0.revision == nil } ?? false }

        /// Returns whether the origin sent ``kept`` after the answer, if the two overlap.
        ///
        /// They overlap if the request of the answer began before ``kept`` came. Otherwise the
        /// answer is news in any case, because the clocks of two services differ.
        func hasNewer(than answer: Snapshot<Value>, _ began: UInt64) -> Bool {
            guard let kept, let answered = answer.kept else { return false }
            return began < changed && answered.asOf < kept.asOf
        }

        /// Returns whether something newer than an answer of the origin is here.
        func isLate(_ answer: MarkedAnswer<Value>, _ began: UInt64) -> Bool {
            // The store has refused the answer for a newer row, so memory must not show it either.
            if answer.isOvertaken { return true }
            // The answer was committed, so the store's order decides. Only against a value that is
            // in no store do the requests decide.
            if let mark = answer.mark { return !mark.covers(known) || isAlone && began < self.began }
            return began < self.began || hasNewer(than: answer.snapshot, began)
        }
    }

    /// Called for each key whose value changes or goes.
    typealias ForgetHandler = @Sendable (Key) -> Void

    private let limit: Int
    let forget: ForgetHandler
    /// Returns whether the hot cache has answered for a key since the last call.
    private let takeUse: @Sendable (Key) -> Bool
    var entries: [Key: Entry] = [:]
    private var serial: UInt64 = 0
    var isClosed = false
    /// Observed keys that have changed in the store since they were looked at.
    var unread: Set<Key> = []
    var starting = StartingKeys<Key>()
    /// Whether a timer refreshes the observed keys.
    var isTimed = false

    init(
        limit: Int, forget: @escaping ForgetHandler = { _ in },
        takeUse: @escaping @Sendable (Key) -> Bool = { _ in false }
    ) {
        self.limit = max(1, limit)
        self.forget = forget
        self.takeUse = takeUse
    }

    /// Returns a number for an event that happens now. Later events get greater numbers.
    mutating func begin() -> UInt64 {
        serial += 1
        return serial
    }

    /// Begins a request. Its number goes to `absorb` with the answer.
    mutating func ask(_ key: Key) -> UInt64 {
        if !isClosed { entries[key, default: Entry()].openRequests += 1 }
        return begin()
    }

    /// Keeps the entry of a key until ``release(_:)``, so that it hears of each change.
    mutating func hold(_ key: Key) {
        if !isClosed { entries[key, default: Entry()].openRequests += 1 }
    }

    mutating func release(_ key: Key) {
        guard var entry = entries[key] else { return }
        entry.endRequest()
        entries[key] = entry.isEmpty ? nil : entry
    }

    /// Notes that the answer to an open request is being committed to the store.
    mutating func startCommit(of key: Key) { entries[key]?.openCommits += 1 }

    /// The last good value, labelled as coming from memory.
    func kept(_ key: Key) -> Kept? { entries[key]?.kept.map(\.fromMemory) }

    /// The last good value, if the store has not told of a change since.
    mutating func current(_ key: Key) -> Kept? {
        guard let entry = entries[key], entry.isCurrent, let kept = entry.kept else { return nil }
        let now = begin()
        entries[key]?.lastUsed = now
        return kept.fromMemory
    }

    /// Whether a look has seen every change of the key that the store has told of.
    func isUpToDate(_ mark: ReadMark, _ key: Key) -> Bool { entries[key].map { mark.covers($0.latest) } ?? true }

    /// Whether nothing has changed since a look at a key that is held.
    func isNewest(_ look: StoreRead<Value>, _ key: Key) -> Bool {
        guard let entry = entries[key], let mark = look.mark else { return false }
        return !entry.isDoubtful && mark.covers(entry.latest)
    }

    var keys: some Sequence<(key: Key, kept: Kept?)> { entries.lazy.map { ($0.key, $0.value.kept) } }

    // MARK: Answers

    /// Applies an answer and tells the observers if it is news.
    mutating func absorb(
        _ answer: MarkedAnswer<Value>, for key: Key, _ mode: CacheMode?, began: UInt64, at now: WallTime
    ) -> AppliedAnswer {
        // After the end the caller still gets its answer, but nothing is kept.
        guard !isClosed else { return AppliedAnswer(answer, answer.snapshot, mode, isLate: false, at: begin()) }
        var entry = entries[key] ?? Entry()
        // Before `endRequest`, which forgets the invalidations of the open requests.
        let answer = entry.madeStale(answer, key, began)
        entry.endRequest()
        entry.lastUsed = begin()
        let (known, wasCurrent, wasLookedAt) = (entry.kept, entry.isCurrent, entry.isLookedAt)
        let isLook = answer.snapshot.kept?.isStored == true
        let isLate = !isLook && entry.isLate(answer, began)
        let merged =
            answer.snapshot.kept.map { merge($0, answer, into: &entry, began: began, isLate: isLate) }
            ?? merge(answer, into: &entry, mode, began: began, isLate: isLate, at: now)
        if let mode {
            if mode != .storedOnly { entry.refresh.end(mode) }
            for (id, watch) in entry.watches where watch.place?.mode == mode { entry.watches[id]?.place = nil }
        }
        if !isLate, mode != .storedOnly { entry.refresh.note(answer.snapshot.error, at: now) }
        let isReported = tell(merged, answer.snapshot, mode, in: &entry, known: known, isLate: isLate)
        // The answer is no news, but the look that came with it may have found another value. The
        // store may have told of that change already, or may tell of it later.
        if !isReported, !wasCurrent || wasLookedAt { entry.tellStored(unless: known) }
        entries[key] = entry.isEmpty ? nil : entry
        if entry.isCurrent {
            // The answer brings its own commit. If the key stayed unread, each commit would start a
            // task that finds nothing to look at.
            unread.remove(key)
        } else if !entry.watches.isEmpty {
            // The store has changed since this look, so the observers need another one.
            unread.insert(key)
        }
        forget(key)
        evict(sparing: key)
        return AppliedAnswer(answer, merged, mode, isLate: isLate, at: begin())
    }

    /// Tells the observers of an entry about an answer.
    ///
    /// If the answer is no news, they are told the end of the refresh.
    ///
    /// - Returns: whether the answer was news.
    private func tell(
        _ merged: Snapshot<Value>, _ answer: Snapshot<Value>, _ mode: CacheMode?, in entry: inout Entry, known: Kept?,
        isLate: Bool
    ) -> Bool {
        let isNewer = merged.kept.map { kept in known.map { kept.asOf > $0.asOf } ?? true } ?? false
        let isOther = entry.kept?.revision != known?.revision
        let isNews = !isLate && (answer.error != nil || answer.kept?.isStored == false || isNewer || isOther)
        // A look at the store is for its caller only.
        if mode == .storedOnly { return false }
        // A cancelled call is no news at all.
        guard isNews, answer.error?.code != .cancelled else {
            let state = entry.state(after: merged, isOutdated: isLate)
            for id in entry.watches.keys {
                entry.watches[id]?.settle(answer, state, isLate: isLate, entry.refresh)
            }
            return false
        }
        for id in entry.watches.keys { entry.watches[id]?.tell(merged, raw: answer, entry.refresh) }
        return true
    }

    private func merge(
        _ kept: Kept, _ answer: MarkedAnswer<Value>, into entry: inout Entry, began: UInt64, isLate: Bool
    ) -> Snapshot<Value> {
        let error = answer.snapshot.error
        if kept.isStored {
            if let newer = entry.takeLook(kept, answer.mark, began) { return Snapshot(kept: newer, error: error) }
        } else {
            guard !isLate else {
                // The value is gone by now, so the late answer is for its caller only.
                return entry.kept.map { Snapshot(kept: $0.fromMemory, error: error) } ?? answer.snapshot
            }
            if let mark = answer.mark { entry.see(mark) }
            entry.began = began
        }
        // The same value again is no change: an observer whose older answer lands now is not
        // outdated by it.
        let isSame = kept.isSame(as: entry.kept)
        entry.replace(by: kept, at: isSame ? entry.changed : entry.lastUsed)
        return answer.snapshot
    }

    /// Applies an answer without a value.
    private func merge(
        _ answer: MarkedAnswer<Value>, into entry: inout Entry, _ mode: CacheMode?, began: UInt64, isLate: Bool,
        at now: WallTime
    ) -> Snapshot<Value> {
        let snapshot = answer.snapshot
        guard let error = snapshot.error else { return snapshot }
        if error.isAnswer {
            // A 401 says nothing about the value. After a 404, the next failure must not bring the
            // value back.
            guard error.saysGone, !isLate else { return snapshot }
            entry.replace(by: nil, at: entry.lastUsed)
            (entry.isGone, entry.began) = (true, began)
            if let mark = answer.mark { entry.see(mark) }
            return snapshot
        }
        guard let known = entry.kept else {
            if let mark = answer.mark { entry.see(mark) }
            return snapshot
        }
        // The look has found nothing in the store, as of the mark.
        if let mark = answer.mark, mark.covers(entry.known) {
            entry.see(mark)
            if !entry.isAlone {
                entry.replace(by: nil, at: entry.lastUsed)
                return snapshot
            }
        }
        // A look that finds nothing is no failed refresh.
        if error.code == .nothingKept { return Snapshot(kept: known.fromMemory) }
        // RFC 9111 §4.2.4: after its end of freshness this value may be shown only if the origin
        // was reached.
        let mustAsk = known.response?.forbidsStaleUse == true && !known.isFresh(at: now)
        if !error.isUnreadableAnswer, mustAsk { return snapshot }
        return Snapshot(kept: known.fromMemory, error: error)
    }

    private mutating func evict(sparing key: Key) {
        guard entries.count > limit else { return }
        // The hot cache answers without this cache, so its uses are collected before the order of
        // eviction is made.
        for key in entries.keys where takeUse(key) { entries[key]?.lastUsed = serial }
        // Observed keys and keys with an open request stay: their marks and numbers are still
        // compared.
        let idle = entries.filter { $0.value.watches.isEmpty && $0.value.openRequests == 0 && $0.key != key }
        // Keys that are gone are evicted before those with a value. A tenth is evicted at once, so
        // that one sort pays for many reads.
        let order = idle.sorted { a, b in
            (a.value.kept != nil ? 1 : 0, a.value.lastUsed) < (b.value.kept != nil ? 1 : 0, b.value.lastUsed)
        }
        for (key, _) in order.prefix(max(1, limit / 10)) {
            entries[key] = nil
            forget(key)
        }
    }
}

extension ModelCache.Entry {
    /// - Parameter moment: when the value came or went, in the order of requests.
    mutating func replace(by kept: Snapshot<Value>.Kept?, at moment: UInt64) {
        (self.kept, isGone, changed) = (kept, false, moment)
    }

    mutating func endRequest() {
        openRequests = max(0, openRequests - 1)
        // Without an open request no answer from before an invalidation can come.
        if openRequests == 0 { invalidations = [] }
    }

    /// Returns the answer, made stale if it was invalidated after its request began.
    ///
    /// This holds for a value that lies in no store.
    fileprivate func madeStale(_ answer: MarkedAnswer<Value>, _ key: Key, _ began: UInt64) -> MarkedAnswer<Value> {
        guard answer.mark == nil, let kept = answer.snapshot.kept,
            invalidations.contains(where: { $0.moment > began && $0.isStale(key, kept) })
        else { return answer }
        var stale = answer
        stale.snapshot = Snapshot(
            kept: kept.with(kept.value, staleAt: .some(.distantPast)), error: answer.snapshot.error)
        return stale
    }

    /// Notes how far the key was looked at.
    mutating func see(_ mark: ReadMark) {
        known.join(mark)
        (isLookedAt, isDoubtful) = (true, false)
    }

    /// Takes a value that was kept already, here or below.
    ///
    /// - Returns: the value that is here, if it is newer; nil if the kept one takes its place.
    fileprivate mutating func takeLook(
        _ kept: Snapshot<Value>.Kept, _ mark: ReadMark?, _ began: UInt64
    ) -> Snapshot<Value>.Kept? {
        if let mark {
            // A newer look was applied while this one was on its way.
            guard mark.covers(known) else { return self.kept?.fromMemory }
            see(mark)
            // The store wins even if its row is older, because another writer has put the row
            // there.
            guard isAlone, let alone = self.kept, kept.asOf < alone.asOf else { return nil }
            return alone.fromMemory
        }
        guard let known = self.kept else { return nil }
        // The source's own cache does not know that the value was made stale.
        let isInvalid = known.staleAt == .distantPast && kept.asOf == known.asOf
        guard isInvalid || kept.asOf < known.asOf || hasNewer(than: Snapshot(kept: kept), began) else { return nil }
        return known.fromMemory
    }

    /// Tells the observers the known value, if a look has found another one.
    ///
    /// - Parameter known: the value before the look.
    mutating func tellStored(unless known: Snapshot<Value>.Kept?) {
        if kept?.revision != known?.revision || (kept == nil) != (known == nil) { tellStored() }
    }

    mutating func tellStored() {
        let snapshot = Snapshot(kept: kept, error: kept == nil ? .nothingKept : refresh.failure)
        for id in watches.keys { watches[id]?.tell(stored: snapshot, refresh) }
    }
}

extension Snapshot.Kept {
    /// Whether it was kept already, here or below: the origin did not send it now.
    var isStored: Bool { source == .httpCache || source == .memory || source == .store }

    /// Whether it is the known value, as far as that can be told.
    fileprivate func isSame(as known: Self?) -> Bool {
        guard let known, revision == known.revision else { return false }
        return revision != nil || isStored && asOf == known.asOf
    }

    var fromMemory: Self { revised(revision, source: .memory) }
}

extension ReadFailure {
    /// Whether the service answered with something that the app can't read.
    fileprivate var isUnreadableAnswer: Bool {
        code == .undecodable || code == .unmappable || code == .tooLarge || code == .noData
    }

    /// Whether there is no such entity any more.
    ///
    /// Over HTTP the status is 404 or 410 (RFC 9110 §15.5.5, §15.5.11).
    var saysGone: Bool {
        if code == .gone { return true }
        guard isAnswer, let status = response?.status.code else { return false }
        return status == 404 || status == 410
    }
}
