internal import Synchronization
public import WharfCore
internal import WharfPrimitives

extension OutboxEngine {
    public func newID() -> OutboxEntry.ID { ids.next(at: clock.now()) }

    @discardableResult
    public func enqueue(
        _ entries: [OutboxEntry], changing entities: [EntityChange]
    ) async throws(StoreError) -> Committed {
        let committed = try await store.commit(Commit(entities: entities, enqueued: entries))
        watches.note(committed.dropped)
        readers.tell(
            entries.map { .enqueued($0.id, kind: $0.kind.name, lane: $0.lane) }
                + committed.dropped.map(OutboxEvent.dropping))
        let own = entries.filter { $0.account == self.account }
        park(own.lazy.flatMap(\.routes))
        tryClosed(own)
        return committed
    }

    public func outcome(of entry: OutboxEntry.ID) async throws(StoreError) -> [String: OutboxRecord.State]? {
        let watch = watches.join(entry)
        defer { watches.leave(entry) }
        // Before the first look: a commit between the two is not lost.
        if !state.withLock({ $0.schedule.isStarted }) { watches.follow(store, on: executor) }
        var last: OutboxRecord?
        while true {
            let version = watch.latest.version
            if let record = try await store.record(of: entry) {
                if !record.states.values.contains(where: \.isOpen) { return record.states }
                last = record
            } else {
                // What was settled is noted before it is committed.
                return last?.completed(by: watch.latest.state)
            }
            guard await watch.next(after: version) != nil else {
                if Task.isCancelled {
                    throw StoreError(.cancelled, message: "cancelled while \(entry) was on its way")
                }
                throw .engineClosed
            }
        }
    }

    /// Where the system says that there is no network, it will tell when there is.
    private func tryClosed(_ entries: [OutboxEntry]) {
        guard connectivity?.isOnline != false else { return }
        state.withLock { state in
            for entry in entries {
                for target in entry.targets { state.schedule.came(to: entry.lane, of: target.destination) }
            }
        }
        wakeUp.signal()
    }

    /// Tells of what nobody delivers, once.
    func park(_ routes: some Sequence<OutboxCounts.Route>) {
        readers.tell(state.withLock { $0.park(routes) }.map(OutboxEvent.parked))
    }
}

extension OutboxEntry {
    fileprivate var routes: [OutboxCounts.Route] { targets.map { .init($0.destination, kind: kind.name) } }
}

extension OutboxRecord {
    /// What became of it by its end, where that is known.
    ///
    /// - Parameter noted: what this engine has settled.
    fileprivate func completed(by noted: [String: State]) -> [String: State]? {
        var states = states
        for target in entry.targets {
            let name = target.destination
            guard states[name]?.isOpen != false else { continue }
            if let state = noted[name], !state.isOpen {
                states[name] = state
            } else if states[name] == .waiting, target.condition != .always {
                states[name] = .unneeded
            } else {
                // Somebody else has settled it, and did not say how.
                return nil
            }
        }
        return states
    }
}
