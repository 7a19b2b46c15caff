internal import WharfCore

/// The last good value of each key and who watches it: a value, so that every rule about what replaces what stands in one
/// place and is tested without tasks.
struct Shelf<Key: Hashable & Sendable, Value: Sendable> {
    typealias Kept = Snapshot<Value>.Kept

    struct Entry {
        var kept: Kept?
        /// When the request began, in the order of requests, that the origin last answered with `kept` or with "gone": the answers to
        /// earlier ones are late.
        var began: UInt64 = 0
        /// When `kept` came, in the order of requests; what came again does not count.
        var came: UInt64 = 0
        var isGone = false
        /// Why the last refresh brought nothing, while that is so.
        var failure: ReadFailure?
        /// What the store has may be another by now.
        var isSuspect = false
        /// A look at the store brought another value, of which the observers hear when it is read again for them.
        var isUntold = false
        /// When the store last changed under an open question, in the order of questions.
        var changed: UInt64 = 0
        var openQuestions = 0
        /// What open questions are putting into the store, by stamp with the number of the question: of these its own answer will
        /// tell.
        var expected: [Int: UInt64] = [:]
        /// The last of these that was seen in the store, and passed over.
        var awaited: Int?
        var lastUsed: UInt64 = 0
        var watches: [UInt64: Watch<Value>] = [:]

        var isEmpty: Bool { kept == nil && !isGone && openQuestions == 0 && watches.isEmpty }

        /// Of what was asked for at the same time, the origin vouched later for what is here. Without an overlap the answer is news
        /// whatever it says: the clocks of two services may differ.
        func hasNewer(than answer: Snapshot<Value>, _ began: UInt64) -> Bool {
            guard let kept, let answered = answer.kept else { return false }
            return began < came && answered.asOf < kept.asOf
        }
    }

    /// What is held of a key changes, or goes.
    typealias Forget = @Sendable (Key) -> Void

    private let limit: Int
    let forget: Forget
    /// Whether a key was read past the shelf since this was asked last.
    private let takeUse: @Sendable (Key) -> Bool
    var entries: [Key: Entry] = [:]
    private var serial: UInt64 = 0
    var isClosed = false
    /// Observed, and changed in the store since.
    var unread: Set<Key> = []
    /// What is observed is asked for again by a timer.
    var isTimed = false

    init(
        limit: Int, forget: @escaping Forget = { _ in }, takeUse: @escaping @Sendable (Key) -> Bool = { _ in false }
    ) {
        self.limit = max(1, limit)
        self.forget = forget
        self.takeUse = takeUse
    }

    /// A number for what begins now; later ones are greater.
    mutating func begin() -> UInt64 {
        serial += 1
        return serial
    }

    /// The number of a question that is asked now, to be given to `absorb` with its answer.
    mutating func ask(_ key: Key) -> UInt64 {
        if !isClosed { entries[key, default: Entry()].openQuestions += 1 }
        return begin()
    }

    /// The last good value, labelled as coming from memory.
    func kept(_ key: Key) -> Kept? { entries[key]?.kept.map(\.fromMemory) }

    /// The last good value, where nobody has said that the store has another by now.
    mutating func current(_ key: Key) -> Kept? {
        guard let entry = entries[key], !entry.isSuspect, let kept = entry.kept else { return nil }
        let now = begin()
        entries[key]?.lastUsed = now
        return kept.fromMemory
    }

    /// Whether a value has come since.
    func hasSince(_ began: UInt64, _ key: Key) -> Bool { entries[key].map { $0.came > began } ?? false }

    var keys: some Sequence<(key: Key, kept: Kept?)> { entries.lazy.map { ($0.key, $0.value.kept) } }

    /// Takes in what the source answered and gives what is known now; tells the observers where that is news.
    mutating func absorb(
        _ answer: Snapshot<Value>, for key: Key, _ mode: CacheMode?, began: UInt64, at now: WallTime
    ) -> Snapshot<Value> {
        guard !isClosed else { return answer }
        var entry = entries[key] ?? Entry()
        entry.openQuestions = max(0, entry.openQuestions - 1)
        let writer = answer.kept?.stamp.flatMap { entry.expected[$0] }
        let hasGivenUp = entry.awaited.flatMap { entry.expected[$0] } == began
        entry.expected = entry.openQuestions == 0 ? [:] : entry.expected.filter { $0.value != began }
        entry.lastUsed = begin()
        let known = entry.kept
        let wasSuspect = entry.isSuspect
        let isLate = answer.kept?.isStored != true && (began < entry.began || entry.hasNewer(than: answer, began))
        let merged = merge(answer, into: &entry, mode, began: began, isLate: isLate, at: now)
        let isNewer = merged.kept.map { kept in known.map { kept.asOf > $0.asOf } ?? true } ?? false
        let isOther = entry.kept?.stamp != known?.stamp
        let isNews = !isLate && (answer.error != nil || answer.kept?.isStored == false || isNewer || isOther)
        if !isLate, mode != .storedOnly, answer.error?.code != .cancelled { entry.failure = answer.error }
        // A look at what is stored is for its caller, and that somebody gave up is no news at all.
        if isNews, mode != .storedOnly, answer.kept != nil || answer.error?.code != .cancelled {
            for id in entry.watches.keys { entry.watches[id]?.tell(merged, raw: answer, mode) }
            entry.isUntold = false
        } else if isOther, writer != began, wasSuspect || writer != nil {
            entry.isUntold = true
        }
        if entry.isUntold, mode != .storedOnly {
            for id in entry.watches.keys {
                entry.watches[id]?.tell(stored: Snapshot(kept: entry.kept, error: entry.failure))
            }
            entry.isUntold = false
        }
        if entry.openQuestions == 0 || hasGivenUp, let awaited = entry.awaited {
            // Who put it there gave up: nobody else tells of it.
            if entry.isUntold || entry.kept?.stamp != awaited, !entry.watches.isEmpty { unread.insert(key) }
            entry.awaited = nil
        }
        entries[key] = entry.isEmpty ? nil : entry
        forget(key)
        evict(sparing: key)
        return merged
    }

    private func merge(
        _ answer: Snapshot<Value>, into entry: inout Entry, _ mode: CacheMode?, began: UInt64, isLate: Bool,
        at now: WallTime
    ) -> Snapshot<Value> {
        if let kept = answer.kept {
            // A stored answer replaces only what is older than itself.
            if let known = entry.kept,
                isLate || kept.isStored && (kept.isOlder(than: known) || entry.hasNewer(than: answer, began))
            {
                if kept.stamp != nil, began >= entry.changed { entry.isSuspect = false }
                return Snapshot(kept: known.fromMemory, error: answer.error)
            }
            // A late answer to what is gone by now goes to who asked for it, and no further.
            guard !isLate else { return answer }
            if !kept.isSame(as: entry.kept) { entry.came = entry.lastUsed }
            (entry.kept, entry.isGone) = (kept, false)
            entry.isSuspect = kept.stamp != nil && began < entry.changed
            if !kept.isStored { entry.began = began }
            return answer
        }
        guard let error = answer.error else { return answer }
        if error.isAnswer {
            // Gone is gone: the next failure must not bring it back. A 401 says nothing about the value.
            if !isLate, error.saysGone { (entry.kept, entry.isGone, entry.began) = (nil, true, began) }
            return answer
        }
        guard let known = entry.kept else { return answer }
        // Looking for something stored and finding nothing is no failed refresh.
        if error.code == .nothingKept {
            if isLate || known.stamp == nil || began < entry.came {
                if began >= entry.changed { entry.isSuspect = false }
                return Snapshot(kept: known.fromMemory)
            }
            // It was in the store, and somebody has removed it.
            entry.kept = nil
            return answer
        }
        // The store was looked at as well, and has nothing any more; unless that look came to nothing itself.
        let hasLooked = mode != .bypass && error.code != .cancelled && error.code != .storeFailed
        if entry.isSuspect, known.stamp != nil, hasLooked, began >= entry.changed {
            (entry.kept, entry.isSuspect) = (nil, false)
            return answer
        }
        let mustAsk = known.response?.forbidsStaleUse == true && !known.isFresh(at: now)
        if !error.isUnreadableAnswer, mustAsk { return answer }
        return Snapshot(kept: known.fromMemory, error: error)
    }

    private mutating func evict(sparing key: Key) {
        guard entries.count > limit else { return }
        for key in entries.keys where takeUse(key) { entries[key]?.lastUsed = serial }
        let idle = entries.filter { $0.value.watches.isEmpty && $0.value.openQuestions == 0 && $0.key != key }
        // What is gone goes before what has a value. A tenth at once, so that the sort is paid for by many reads.
        let order = idle.sorted { a, b in
            (a.value.kept != nil ? 1 : 0, a.value.lastUsed) < (b.value.kept != nil ? 1 : 0, b.value.lastUsed)
        }
        for (key, _) in order.prefix(max(1, limit / 10)) {
            entries[key] = nil
            forget(key)
        }
    }
}

extension Snapshot.Kept {
    /// It was kept already, here or below; the origin did not say it now.
    var isStored: Bool { source == .httpCache || source == .memory || source == .store }

    /// What is in one store replaces whatever was there before.
    func isOlder(than known: Self) -> Bool {
        asOf < known.asOf && (stamp == nil || known.stamp == nil)
    }

    /// It is what is there already, as far as that can be told.
    fileprivate func isSame(as known: Self?) -> Bool {
        guard let known, stamp == known.stamp else { return false }
        return stamp != nil || isStored && asOf == known.asOf
    }

    fileprivate var fromMemory: Self { stamped(stamp, source: .memory) }
}

extension ReadFailure {
    /// The service did answer, but not so that this version of the app can read it.
    fileprivate var isUnreadableAnswer: Bool {
        code == .undecodable || code == .unmappable || code == .tooLarge || code == .noData
    }

    /// There is no such entity any more: over HTTP 404 and 410 (RFC 9110 §15.5.5, §15.5.11).
    var saysGone: Bool {
        if code == .gone { return true }
        guard isAnswer, let status = response?.status.code else { return false }
        return status == 404 || status == 410
    }
}
