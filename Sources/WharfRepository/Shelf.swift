internal import WharfCore

/// The last good value of each key and who watches it: a value, so that every rule about what replaces what stands in one
/// place and is tested without tasks.
struct Shelf<Key: Hashable & Sendable, Value: Sendable> {
    typealias Kept = Snapshot<Value>.Kept
    typealias Observer = AsyncStream<Snapshot<Value>>.Continuation

    private struct Entry {
        var kept: Kept?
        /// When the request that brought `kept` began, in the order of requests.
        var began: UInt64 = 0
        var lastUsed: UInt64 = 0
        var observers: [UInt64: Observer] = [:]
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
    func kept(_ key: Key) -> Kept? { entries[key]?.kept.map(Self.fromMemory) }

    /// Takes in what the source answered and gives what is known now; tells the observers where that is news.
    mutating func absorb(
        _ answer: Snapshot<Value>, for key: Key, _ mode: CacheMode, began: UInt64
    ) -> Snapshot<Value> {
        var entry = entries[key] ?? Entry()
        entry.lastUsed = begin()
        let merged = merge(answer, into: &entry, began: began)
        entries[key] = entry
        evict(sparing: key)
        // A look at what is stored is for its caller; the others have seen it or something newer.
        // And that somebody who read the same gave up is no news at all.
        if mode != .storedOnly, answer.kept != nil || answer.error?.code != .cancelled {
            let news = Snapshot(kept: merged.kept, error: merged.error, fetch: .idle)
            // Yielding only enqueues the reader, and under the lock two pieces of news can't overtake each other.
            for observer in entry.observers.values { observer.yield(news) }
        }
        return merged
    }

    private func merge(_ answer: Snapshot<Value>, into entry: inout Entry, began: UInt64) -> Snapshot<Value> {
        if let kept = answer.kept {
            guard let known = entry.kept, !replaces(kept, began, known, entry.began) else {
                entry.kept = kept
                entry.began = began
                return answer
            }
            return Snapshot(kept: Self.fromMemory(known), error: answer.error, fetch: answer.fetch)
        }
        guard let error = answer.error, let known = entry.kept else { return answer }
        if error.isAnswer {
            // Gone is gone: the next failure must not bring it back. A 401 says nothing about the value.
            if let status = error.response?.status.code, status == 404 || status == 410 { entry.kept = nil }
            return answer
        }
        // Looking for something stored and finding nothing is no failed refresh.
        if error.code == .nothingKept { return Snapshot(kept: Self.fromMemory(known)) }
        if !error.isUnreadableAnswer, known.response?.forbidsStaleUse == true { return answer }
        return Snapshot(kept: Self.fromMemory(known), error: error)
    }

    /// An answer of the origin replaces what an earlier request brought; a stored one only what is older than itself.
    private func replaces(_ kept: Kept, _ began: UInt64, _ known: Kept, _ knownBegan: UInt64) -> Bool {
        if kept.source == .httpCache || kept.source == .memory { return kept.asOf >= known.asOf }
        return began >= knownBegan
    }

    private mutating func evict(sparing key: Key) {
        guard entries.count > limit else { return }
        let idle = entries.filter { $0.value.observers.isEmpty && $0.key != key }
        // A tenth at once, so that the sort is paid for by many reads.
        for (key, _) in idle.sorted(by: { $0.value.lastUsed < $1.value.lastUsed }).prefix(max(1, limit / 10)) {
            entries[key] = nil
        }
    }

    // MARK: Observers

    mutating func add(_ observer: Observer, for key: Key) -> UInt64 {
        let id = begin()
        entries[key, default: Entry()].observers[id] = observer
        return id
    }

    mutating func remove(_ observer: UInt64, for key: Key) {
        entries[key]?.observers[observer] = nil
        if let entry = entries[key], entry.kept == nil, entry.observers.isEmpty { entries[key] = nil }
    }

    /// Tells one observer its first snapshot, unless something newer than it has become known meanwhile.
    func tell(_ observer: UInt64, of key: Key, _ snapshot: Snapshot<Value>) {
        guard let entry = entries[key], let continuation = entry.observers[observer] else { return }
        guard let known = entry.kept, let kept = snapshot.kept, known.asOf > kept.asOf else {
            continuation.yield(snapshot)
            return
        }
        continuation.yield(Snapshot(kept: Self.fromMemory(known), error: snapshot.error, fetch: snapshot.fetch))
    }

    private static func fromMemory(_ kept: Kept) -> Kept {
        Kept(value: kept.value, source: .memory, asOf: kept.asOf, staleAt: kept.staleAt, response: kept.response)
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
