internal import Synchronization
internal import WharfCore

/// Changes a store by turns, one after the other, and refuses what a later question has answered already: a late answer must not
/// replace a newer one in the store.
final class CommitLine: Sendable {
    /// When a question was asked, in the order of questions.
    typealias Ticket = UInt64

    /// What was said to be stale, and which questions had been asked by then.
    private struct Invalidation {
        let last: Ticket
        let covers: @Sendable (EntityRow) -> Bool
    }

    private struct State {
        var last: Ticket = 0
        var asked = 0
        /// The latest question about each key whose answer is committed. Kept while any question is open, like the next.
        var committed: [EntityKey: Ticket] = [:]
        var invalidations: [Invalidation] = []
        var tail: Task<Void, Never>?
        var isEnded = false
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
                if state.asked == 0 { (state.committed, state.invalidations) = ([:], []) }
            }
        }
        return await question(ticket)
    }

    /// Waits for its turn, in the order of calls, and has the store to itself, as far as this repository goes. It runs to its end also
    /// when the caller is cancelled: what came from the network is worth keeping.
    func turn<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await enqueue(body).value
    }

    /// The same, its place taken at the call.
    func enqueue<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        state.withLock { state in
            let before = state.tail
            let turn = Task.detached {
                await before?.value
                return await body()
            }
            state.tail = Task.detached { _ = await turn.value }
            return turn
        }
    }

    /// Keeps everything out of the store from now on.
    func end() { state.withLock { $0.isEnded = true } }

    /// Waits for what is going in.
    func drain() async { await state.withLock { $0.tail }?.value }

    // MARK: In a turn

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Those of the changes whose keys no later question has answered; what has been invalidated since the question is stale.
    func accepted(_ changes: [EntityChange], asOf ticket: Ticket) -> [EntityChange] {
        let (committed, invalidations) = state.withLock { state in
            (state.committed, state.invalidations.filter { $0.last >= ticket })
        }
        return changes.compactMap { change in
            guard committed[change.key, default: 0] <= ticket else { return nil }
            guard case .put(var row) = change, invalidations.contains(where: { $0.covers(row) }) else { return change }
            row.staleAt = .distantPast
            return .put(row)
        }
    }

    /// The store has these.
    func note(_ changes: [EntityChange], asOf ticket: Ticket) {
        state.withLock { state in
            for change in changes { state.committed[change.key] = ticket }
        }
    }

    /// What is covered is stale, also in answers to questions that were asked before.
    func invalidate(_ covers: @escaping @Sendable (EntityRow) -> Bool) {
        state.withLock { state in
            guard state.asked > 0 else { return }
            state.invalidations.append(Invalidation(last: state.last, covers: covers))
        }
    }
}

extension StoreError {
    static let ended = StoreError(
        .closed, message: "the account of this repository was signed out; take one of a new stack")
}
