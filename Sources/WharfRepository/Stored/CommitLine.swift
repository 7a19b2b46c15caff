internal import Synchronization
internal import WharfCore

/// Commits one after the other, and refuses what a later question has answered already: a late answer must not replace a newer one
/// in the store.
final class CommitLine: Sendable {
    /// When a question was asked, in the order of questions.
    typealias Ticket = UInt64

    private struct State {
        var last: Ticket = 0
        var asked = 0
        /// The latest question about each key whose answer is committed. Kept while any question is open.
        var committed: [EntityKey: Ticket] = [:]
        var tail: Task<Set<EntityKey>, Never>?
    }

    private let state = Mutex(State())

    /// Asks with a ticket that shows when it was asked.
    func ask<Value>(_ question: (Ticket) async -> Value) async -> Value {
        let ticket = state.withLock { state in
            state.asked += 1
            state.last += 1
            return state.last
        }
        defer {
            state.withLock { state in
                state.asked -= 1
                if state.asked == 0 { state.committed = [:] }
            }
        }
        return await question(ticket)
    }

    /// Waits for its turn, then does those of the changes whose keys no later question has answered. It runs to its end also when the
    /// caller is cancelled: what came from the network is worth keeping.
    ///
    /// - Returns: the keys of what was done.
    func commit(
        _ changes: [EntityChange], asOf ticket: Ticket, _ commit: @escaping @Sendable ([EntityChange]) async -> Void
    ) async -> Set<EntityKey> {
        let turn = state.withLock { state in
            let before = state.tail
            let turn = Task.detached { [self] in
                _ = await before?.value
                let accepted = accept(changes, ticket)
                if !accepted.isEmpty { await commit(changes.filter { accepted.contains($0.key) }) }
                return accepted
            }
            state.tail = turn
            return turn
        }
        return await turn.value
    }

    private func accept(_ changes: [EntityChange], _ ticket: Ticket) -> Set<EntityKey> {
        state.withLock { state in
            var accepted: Set<EntityKey> = []
            for change in changes where state.committed[change.key, default: 0] <= ticket {
                state.committed[change.key] = ticket
                accepted.insert(change.key)
            }
            return accepted
        }
    }
}
