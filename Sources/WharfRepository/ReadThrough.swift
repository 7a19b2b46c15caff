internal import Synchronization
internal import WharfCore

/// Reads values of one kind by key: asks the source as the policy says, remembers the last good value, tells observers.
final class ReadThrough<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Kept = Snapshot<Value>.Kept

    private struct Question: Hashable, Sendable {
        let key: Key
        let mode: CacheMode
    }

    /// What came back, and what is known after it.
    private struct Answer: Sendable {
        let raw: Snapshot<Value>
        let merged: Snapshot<Value>
    }

    private let shelf: Mutex<Shelf<Key, Value>>
    private let flights: SingleFlight<Question, Answer>
    private let fetch: @Sendable (Key, CacheMode) async -> Snapshot<Value>
    private let clock: any WallClock

    init(
        limit: Int, clock: any WallClock, executor: (any TaskExecutor)?,
        fetch: @escaping @Sendable (Key, CacheMode) async -> Snapshot<Value>
    ) {
        self.shelf = Mutex(Shelf(limit: limit))
        self.flights = SingleFlight(executor: executor)
        self.clock = clock
        self.fetch = fetch
    }

    func read(_ key: Key, _ policy: ReadPolicy) async -> Snapshot<Value> {
        // For a single read the first emission of cacheThenNetwork would never be seen.
        if policy.looksFirst, policy != .cacheThenNetwork {
            let stored = await ask(key, .storedOnly).merged
            if stored.kept != nil || stored.error?.isAnswer == true || policy == .cacheOnly { return stored }
            if stored.error?.code == .cancelled { return stored }
        }
        guard let mode = policy.networkMode else { return Snapshot(kept: nil, error: .nothingKept) }
        let answer = await ask(key, mode)
        return policy.fallsBack ? answer.merged : answer.raw
    }

    func observe(_ key: Key, _ policy: ReadPolicy) -> SnapshotSequence<Value> {
        SnapshotSequence { [self] in
            let (stream, continuation) = AsyncStream.makeStream(
                of: Snapshot<Value>.self, bufferingPolicy: .bufferingNewest(1)
            )
            let observer = shelf.withLock { $0.add(continuation, for: key, fallsBack: policy.fallsBack) }
            let start = Task { await begin(observer, key, policy) }
            continuation.onTermination = { [self] _ in
                start.cancel()
                shelf.withLock { $0.remove(observer, for: key) }
            }
            return stream
        }
    }

    /// The observer's first snapshots: what is known, then what the network says, as far as the policy wants either.
    private func begin(_ observer: UInt64, _ key: Key, _ policy: ReadPolicy) async {
        guard policy.looksFirst || policy == .standard else {
            shelf.withLock { shelf in
                let known = policy.fallsBack ? shelf.kept(key) : nil
                shelf.tell(observer, of: key, Snapshot(kept: known), refresh: policy.networkMode)
            }
            return await refresh(observer, key, policy)
        }
        let stored = await ask(key, .storedOnly).merged
        let settled =
            switch policy {
            case .cacheOnly: true
            case .cacheFirst: stored.kept != nil || stored.error?.isAnswer == true
            case .standard: stored.kept?.isFresh(at: clock.now()) == true && stored.error == nil
            default: false
            }
        // Not finding anything stored is no news while the network is still to be asked.
        let error = settled || stored.error?.code != .nothingKept ? stored.error : nil
        shelf.withLock {
            $0.tell(
                observer, of: key, Snapshot(kept: stored.kept, error: error),
                refresh: settled ? nil : policy.networkMode
            )
        }
        if !settled { await refresh(observer, key, policy) }
    }

    private func refresh(_ observer: UInt64, _ key: Key, _ policy: ReadPolicy) async {
        guard let mode = policy.networkMode else { return }
        // The flight tells all observers of the key what is news; this one waits for the end also where nothing is.
        let answer = await ask(key, mode)
        shelf.withLock { $0.settle(observer, of: key, answer.merged, raw: answer.raw) }
    }

    private func ask(_ key: Key, _ mode: CacheMode) async -> Answer {
        do {
            return try await flights.run(Question(key: key, mode: mode)) { [self] in
                let began = shelf.withLock { $0.begin() }
                let raw = await fetch(key, mode)
                return shelf.withLock { shelf in
                    Answer(raw: raw, merged: shelf.absorb(raw, for: key, mode, began: began, at: clock.now()))
                }
            }
        } catch {
            let known = shelf.withLock { $0.kept(key) }
            let failure = ReadFailure.cancelled(error)
            return Answer(raw: Snapshot(kept: nil, error: failure), merged: Snapshot(kept: known, error: failure))
        }
    }
}
