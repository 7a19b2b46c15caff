internal import Synchronization
public import WharfCore
internal import WharfPrimitives
public import WharfStorage

extension OutboxEngine {
    public func newID() -> OutboxEntry.ID { ids.next(at: clock.now()) }

    @discardableResult
    public func enqueue(
        _ entries: [OutboxEntry], changing entities: [EntityChange]
    ) async throws(StoreError) -> CommitResult {
        let committed = try await store.commit(Commit(entities: entities, enqueued: entries))
        // The commit may have dropped older entries to make room, and callers may await their
        // outcomes.
        outcomeObservers.record(committed.dropped)
        readers.tell(
            entries.map { .enqueued($0.id, kind: $0.kind.name, lane: $0.lane) }
                + committed.dropped.map(OutboxEvent.dropping))
        // The store may hold entries of several accounts, and this engine delivers those of one.
        let own = entries.filter { $0.account == self.account }
        park(own.lazy.flatMap(\.routes))
        tryDespiteOpenBreakers(own)
        return committed
    }

    public func outcome(of entry: OutboxEntry.ID) async throws(StoreError) -> [String: OutboxRecord.State]? {
        try await outcome(of: entry) { _ in true }
    }

    public func outcome(
        of entry: OutboxEntry.ID, settling destinations: Set<String>
    ) async throws(StoreError) -> [String: OutboxRecord.State]? {
        try await outcome(of: entry) { destinations.contains($0) }
    }

    private func outcome(
        of entry: OutboxEntry.ID, waitingFor isAwaited: (String) -> Bool
    ) async throws(StoreError) -> [String: OutboxRecord.State]? {
        let watch = outcomeObservers.join(entry)
        defer { outcomeObservers.leave(entry) }
        // Before the first look: otherwise a commit between the look and the subscription would be
        // lost.
        if !state.withLock({ $0.schedule.isStarted }) { outcomeObservers.follow(store, on: executor) }
        var last: OutboxRecord?
        while true {
            // Read before the record: a settlement between the two then counts as newer, and `next`
            // returns at once. In the other order this caller would sleep through it.
            let version = watch.latest.version
            if let record = try await store.record(of: entry) {
                if !record.states.contains(where: { isAwaited($0.key) && $0.value.isOpen }) { return record.states }
                last = record
            } else {
                // The record is gone. If this engine settled it, the outcome was noted before the
                // commit.
                return last?.completed(by: watch.latest.state)
            }
            guard await watch.next(after: version) != nil else {
                if Task.isCancelled {
                    throw StoreError(.cancelled, message: "the task was cancelled before \(entry) was settled")
                }
                throw .engineClosed
            }
        }
    }

    /// Lets a lane with a new entry be tried although the breaker is open.
    ///
    /// Without a network that is pointless, and the system reports the network's return.
    private func tryDespiteOpenBreakers(_ entries: [OutboxEntry]) {
        guard connectivity?.isOnline != false else { return }
        state.withLock { state in
            for entry in entries {
                for target in entry.targets { state.schedule.recordEntry(in: entry.lane, of: target.destination) }
            }
        }
        wakeUp.signal()
    }

    /// Reports routes that no destination delivers, each once.
    func park(_ routes: some Sequence<OutboxCounts.Route>) {
        readers.tell(state.withLock { $0.park(routes) }.map(OutboxEvent.parked))
    }
}

extension OutboxEntry {
    fileprivate var routes: [OutboxCounts.Route] { targets.map { .init($0.destination, kind: kind.name) } }
}

extension OutboxRecord {
    /// The final states of a removed record; nil if they are unknown.
    ///
    /// - Parameter noted: the states that this engine has settled.
    fileprivate func completed(by noted: [String: State]) -> [String: State]? {
        var states = states
        for target in entry.targets {
            let name = target.destination
            // The last look has seen this destination settled already.
            guard states[name]?.isOpen != false else { continue }
            if let state = noted[name], !state.isOpen {
                states[name] = state
            } else if states[name] == .waiting, target.condition != .always {
                // The record is removed only when nothing is open, so a conditional target that
                // waits was not needed.
                states[name] = .unneeded
            } else {
                // Another engine has settled it, and its verdict is not known here.
                return nil
            }
        }
        return states
    }
}
