internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The callers that wait for outcomes, with the states that this engine has settled.
final class OutcomeObservers: Sendable {
    typealias SettledStates = Broadcast<[String: OutboxRecord.State]>

    private struct State {
        // Invariants while the lock is free: each watch has at least one reader. There is no
        // follower without a watch, or after the end.
        var observed: [OutboxEntry.ID: (settled: SettledStates, readers: Int)] = [:]
        /// Follows the journal for an engine that was not started, while there is a reader.
        var follower: Task<Void, Never>?
        var hasEnded = false

        var needsFollower: Bool { follower == nil && !observed.isEmpty && !hasEnded }
    }

    private let state = Mutex(State())

    func join(_ entry: OutboxEntry.ID) -> SettledStates {
        let (settled, hasEnded) = state.withLock { state in
            // Callers of one entry share a broadcast, so a settlement is noted once.
            let settled = state.observed[entry]?.settled ?? SettledStates([:])
            state.observed[entry, default: (settled, 0)].readers += 1
            return (settled, state.hasEnded)
        }
        // An end before this call has not seen this watch, and its caller would wait forever.
        if hasEnded { settled.end() }
        return settled
    }

    func leave(_ entry: OutboxEntry.ID) {
        let follower = state.withLock { state in
            state.observed[entry]?.readers -= 1
            // Without this removal a long-lived engine would keep each awaited entry.
            if state.observed[entry]?.readers == 0 { state.observed[entry] = nil }
            guard state.observed.isEmpty else { return nil as Task<Void, Never>? }
            return state.follower.take()
        }
        follower?.cancel()
    }

    /// Looks again at each notification of the journal, until no reader is left.
    ///
    /// It replaces the loop of an engine that was not started.
    func follow(_ journal: some Journal, on executor: (any TaskExecutor)?) {
        guard state.withLock({ $0.needsFollower }) else { return }
        // Outside of the lock, because the app's journal may call the engine. Before the first look
        // of the caller, so no commit is missed.
        let notifications = journal.notifications()
        state.withLock { state in
            // Another caller may have begun to follow, or all callers may have left.
            guard state.needsFollower else { return }
            // It is weak: the task lives as long as the journal's notifications, and must not keep
            // this object alive.
            state.follower = Task(executorPreference: executor) { [weak self] in
                for await _ in notifications { self?.lookAgain() }
            }
        }
    }

    /// Stops following, because the engine's loop looks from now on.
    func stopFollowing() { state.withLock { $0.follower.take() }?.cancel() }

    /// Notes outcomes for the waiting callers.
    ///
    /// It is called before the commit, so that a caller that no longer finds the record finds the
    /// outcome here. It is called again after the commit, to make the callers look again. After a
    /// failed commit ``withdraw(_:)`` is called in its place.
    func record(_ settled: [Settlement]) { record(settled.map { ($0.delivery, $0.state) }) }

    func record(_ dropped: [DroppedDelivery]) { record(dropped.map { ($0.delivery, .dropped($0.reason)) }) }

    func record(_ states: [(DeliveryID, OutboxRecord.State)]) {
        for (id, outcome) in states { update(id.entry) { $0[id.destination] = outcome } }
    }

    /// Takes back outcomes that were noted before a commit that has failed.
    ///
    /// Another engine may settle the entries in another way, which is not known here.
    func withdraw(_ states: [(DeliveryID, OutboxRecord.State)]) {
        for (id, outcome) in states {
            update(id.entry) { settled in
                // A different state was noted since, for another commit.
                if settled[id.destination] == outcome { settled[id.destination] = nil }
            }
        }
    }

    func withdraw(_ settled: [Settlement]) { withdraw(settled.map { ($0.delivery, $0.state) }) }

    private func update(_ entry: OutboxEntry.ID, _ change: (inout [String: OutboxRecord.State]) -> Void) {
        // Most settlements have no waiting caller, and cost one look-up.
        guard let settled = state.withLock({ $0.observed[entry]?.settled }) else { return }
        // In one step. Two lanes, or a lane and `lookAgain()`, would otherwise undo each other's
        // note, and its outcome would be unknown once the record is gone.
        settled.update(change)
    }

    /// Makes all callers look again, as another engine may have settled their entries.
    func lookAgain() {
        for settled in state.withLock({ $0.observed.values.map(\.settled) }) { settled.update { _ in } }
    }

    func end() {
        let (all, follower) = state.withLock { state in
            state.hasEnded = true
            return (state.observed.values.map(\.settled), state.follower.take())
        }
        follower?.cancel()
        for settled in all { settled.end() }
    }
}

extension Settlement {
    fileprivate var state: OutboxRecord.State {
        switch outcome {
        case .delivered: .delivered
        case .retry(let time, let failure): .pending(attempts: attempts, nextAttempt: time, failure)
        case .dead(let failure), .conflict(let failure, _): .dead(attempts: attempts, failure)
        }
    }
}
