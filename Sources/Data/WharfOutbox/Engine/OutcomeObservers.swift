internal import Synchronization
internal import WharfCore
internal import WharfPrimitives

/// The callers that wait for outcomes, with the states that this engine has settled.
final class OutcomeObservers: Sendable {
    typealias Noted = Broadcast<[String: OutboxRecord.State]>

    private struct State {
        var watches: [OutboxEntry.ID: (noted: Noted, readers: Int)] = [:]
        /// Follows the journal for an engine that was not started, while there is a reader.
        var follower: Task<Void, Never>?
        var hasEnded = false
    }

    private let state = Mutex(State())

    func join(_ entry: OutboxEntry.ID) -> Noted {
        let (noted, hasEnded) = state.withLock { state in
            let noted = state.watches[entry]?.noted ?? Noted([:])
            state.watches[entry, default: (noted, 0)].readers += 1
            return (noted, state.hasEnded)
        }
        if hasEnded { noted.end() }
        return noted
    }

    func leave(_ entry: OutboxEntry.ID) {
        let follower = state.withLock { state in
            state.watches[entry]?.readers -= 1
            if state.watches[entry]?.readers == 0 { state.watches[entry] = nil }
            guard state.watches.isEmpty else { return nil as Task<Void, Never>? }
            return state.follower.take()
        }
        follower?.cancel()
    }

    /// Looks again at each news of the journal, until no reader is left.
    ///
    /// It replaces the loop of an engine that was not started.
    func follow(_ journal: some Journal, on executor: (any TaskExecutor)?) {
        state.withLock { state in
            guard state.follower == nil, !state.watches.isEmpty, !state.hasEnded else { return }
            let news = journal.news()
            state.follower = Task(executorPreference: executor) { [weak self] in
                for await _ in news { self?.lookAgain() }
            }
        }
    }

    /// Stops following, because the engine's loop looks from now on.
    func stopFollowing() { state.withLock { $0.follower.take() }?.cancel() }

    /// Notes outcomes for the waiting callers.
    ///
    /// It is called before the commit, so that a caller that no longer finds the record finds the
    /// outcome here. It is called again after the commit, to make the callers look again.
    func note(_ settled: [Settlement]) { note(settled.map { ($0.delivery, $0.state) }) }

    func note(_ dropped: [DroppedDelivery]) { note(dropped.map { ($0.delivery, .dropped($0.reason)) }) }

    func note(_ states: [(DeliveryID, OutboxRecord.State)]) {
        for (id, outcome) in states {
            guard let noted = state.withLock({ $0.watches[id.entry]?.noted }) else { continue }
            noted.set(noted.latest.state.merging([id.destination: outcome]) { $1 })
        }
    }

    /// Makes all callers look again, as another engine may have settled their entries.
    func lookAgain() {
        for noted in state.withLock({ $0.watches.values.map(\.noted) }) { noted.set(noted.latest.state) }
    }

    func end() {
        let (all, follower) = state.withLock { state in
            state.hasEnded = true
            return (state.watches.values.map(\.noted), state.follower.take())
        }
        follower?.cancel()
        for noted in all { noted.end() }
    }
}

extension Settlement {
    fileprivate var state: OutboxRecord.State {
        switch verdict {
        case .delivered: .delivered
        case .retry(let time, let failure): .pending(attempts: attempts, nextAttempt: time, failure)
        case .dead(let failure), .conflict(let failure, _): .dead(attempts: attempts, failure)
        }
    }
}
