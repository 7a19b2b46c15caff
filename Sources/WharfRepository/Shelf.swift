internal import WharfCore

/// The last good value of each key and who watches it: a value, so that every rule about what replaces what stands in one
/// place and is tested without tasks.
struct Shelf<Key: Hashable & Sendable, Value: Sendable> {
    typealias Kept = Snapshot<Value>.Kept

    private struct Entry {
        var kept: Kept?
        /// When the request began, in the order of requests, that the origin last answered with `kept` or with "gone".
        var began: UInt64 = 0
        var isGone = false
        var lastUsed: UInt64 = 0
        var watches: [UInt64: Watch<Value>] = [:]

        var isEmpty: Bool { kept == nil && !isGone && watches.isEmpty }
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var serial: UInt64 = 0

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// A number for a request that begins now; later requests get greater ones.
    mutating func begin() -> UInt64 {
        serial += 1
        return serial
    }

    /// The last good value, labelled as coming from memory.
    func kept(_ key: Key) -> Kept? { entries[key]?.kept.map(\.fromMemory) }

    /// Takes in what the source answered and gives what is known now; tells the observers where that is news.
    mutating func absorb(
        _ answer: Snapshot<Value>, for key: Key, _ mode: CacheMode, began: UInt64, at now: WallTime
    ) -> Snapshot<Value> {
        var entry = entries[key] ?? Entry()
        entry.lastUsed = begin()
        let known = entry.kept?.asOf
        // The origin has said something since to a later request.
        let isLate = began < entry.began && answer.kept?.isStored != true
        let merged = merge(answer, into: &entry, began: began, isLate: isLate, at: now)
        let isNewer = merged.kept.map { kept in known.map { kept.asOf > $0 } ?? true } ?? false
        let isNews = !isLate && (answer.error != nil || answer.kept?.isStored == false || isNewer)
        // A look at what is stored is for its caller, and that somebody gave up is no news at all.
        if isNews, mode != .storedOnly, answer.kept != nil || answer.error?.code != .cancelled {
            for id in entry.watches.keys { entry.watches[id]?.tell(merged, raw: answer, mode) }
        }
        entries[key] = entry.isEmpty ? nil : entry
        evict(sparing: key)
        return merged
    }

    private func merge(
        _ answer: Snapshot<Value>, into entry: inout Entry, began: UInt64, isLate: Bool, at now: WallTime
    ) -> Snapshot<Value> {
        if let kept = answer.kept {
            // A stored answer replaces only what is older than itself.
            if isLate || kept.isStored, let known = entry.kept, isLate || kept.asOf < known.asOf {
                return Snapshot(kept: known.fromMemory, error: answer.error)
            }
            // A late answer to what is gone by now goes to who asked for it, and no further.
            guard !isLate else { return answer }
            entry.kept = kept
            entry.isGone = false
            if !kept.isStored { entry.began = began }
            return answer
        }
        guard let error = answer.error else { return answer }
        if error.isAnswer {
            // Gone is gone: the next failure must not bring it back. A 401 says nothing about the value.
            if !isLate, let status = error.response?.status.code, status == 404 || status == 410 {
                (entry.kept, entry.isGone, entry.began) = (nil, true, began)
            }
            return answer
        }
        guard let known = entry.kept else { return answer }
        // Looking for something stored and finding nothing is no failed refresh.
        if error.code == .nothingKept { return Snapshot(kept: known.fromMemory) }
        let mustAsk = known.response?.forbidsStaleUse == true && !known.isFresh(at: now)
        if !error.isUnreadableAnswer, mustAsk { return answer }
        return Snapshot(kept: known.fromMemory, error: error)
    }

    private mutating func evict(sparing key: Key) {
        guard entries.count > limit else { return }
        let idle = entries.filter { $0.value.watches.isEmpty && $0.key != key }
        // What is gone goes before what has a value. A tenth at once, so that the sort is paid for by many reads.
        let order = idle.sorted { a, b in
            (a.value.kept != nil ? 1 : 0, a.value.lastUsed) < (b.value.kept != nil ? 1 : 0, b.value.lastUsed)
        }
        for (key, _) in order.prefix(max(1, limit / 10)) { entries[key] = nil }
    }

    // MARK: Observers

    /// - Parameter fallsBack: what is kept stands in for a failure.
    mutating func add(_ observer: Watch<Value>.Observer, for key: Key, fallsBack: Bool = true) -> UInt64 {
        let id = begin()
        entries[key, default: Entry()].watches[id] = Watch(observer: observer, fallsBack: fallsBack)
        return id
    }

    mutating func remove(_ observer: UInt64, for key: Key) {
        entries[key]?.watches[observer] = nil
        if entries[key]?.isEmpty == true { entries[key] = nil }
    }

    /// Tells one observer its first snapshot, with what has become known meanwhile where that is newer.
    ///
    /// - Parameter refresh: how the network is asked next; nil when it is not.
    mutating func tell(_ observer: UInt64, of key: Key, _ snapshot: Snapshot<Value>, refresh: CacheMode?) {
        var kept = snapshot.kept
        if let known = entries[key]?.kept, let told = kept, known.asOf > told.asOf { kept = known.fromMemory }
        entries[key]?.watches[observer]?.start(Snapshot(kept: kept, error: snapshot.error), refresh)
    }

    /// Ends the refresh of an observer whose answer was no news to anybody else: it waits for it all the same.
    mutating func settle(_ observer: UInt64, of key: Key, _ merged: Snapshot<Value>, raw: Snapshot<Value>) {
        entries[key]?.watches[observer]?.settle(merged, raw: raw)
    }
}

extension Snapshot.Kept {
    /// It was kept already, here or below; the origin did not say it now.
    fileprivate var isStored: Bool { source == .httpCache || source == .memory }

    fileprivate var fromMemory: Self {
        Self(value: value, source: .memory, asOf: asOf, staleAt: staleAt, response: response)
    }
}

extension ReadFailure {
    /// The service did answer, but not so that this version of the app can read it.
    fileprivate var isUnreadableAnswer: Bool {
        code == .undecodable || code == .unmappable || code == .tooLarge || code == .noData
    }
}

extension HTTPResponse {
    /// `must-revalidate` and `no-cache` forbid a stale answer when the origin can't be reached (RFC 9111 §4.2.4, §5.2.2).
    fileprivate var forbidsStaleUse: Bool {
        headerFields[values: .cacheControl].contains { value in
            value.split(separator: ",").contains { directive in
                let name = directive.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "=" && $0 != " " && $0 != "\t" }
                return ["must-revalidate", "no-cache"].contains(name.lowercased())
            }
        }
    }
}
