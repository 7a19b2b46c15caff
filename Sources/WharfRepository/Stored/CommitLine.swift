internal import Synchronization
internal import WharfCore

/// Changes a store by turns, one after the other, and knows what has been answered or changed since a question was asked: a late
/// answer must not replace a newer one in the store.
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
        var open: Set<Ticket> = []
        /// The latest question about each key whose answer is committed. Kept while an earlier one is open, like the next.
        var committed: [EntityKey: Ticket] = [:]
        var invalidations: [Invalidation] = []
        /// The latest question that was open when a key changed in the store, by anybody's commit. Kept likewise.
        var changed: [EntityKey: Ticket] = [:]
        var allChanged: Ticket = 0
        var tail: Task<Void, Never>?
        var isEnded = false

        /// Forgets what no open question is earlier than.
        mutating func close(_ ticket: Ticket) {
            open.remove(ticket)
            guard let oldest = open.min() else {
                return (committed, invalidations, changed, allChanged) = ([:], [], [:], 0)
            }
            guard ticket < oldest else { return }
            committed = committed.filter { $0.value > oldest }
            changed = changed.filter { $0.value >= oldest }
            invalidations.removeAll { $0.last < oldest }
        }
    }

    private let state = Mutex(State())
    /// Where turns run; nil for the global one.
    let executor: (any TaskExecutor)?

    private let changes: [EntityChanges]

    /// - Parameter changes: of the store; nobody else follows them.
    init(on executor: (any TaskExecutor)? = nil, following changes: [EntityChanges] = []) {
        self.executor = executor
        self.changes = changes
    }

    /// Asks with a ticket that shows when it was asked.
    func ask<Value>(_ question: (Ticket) async -> Value) async -> Value {
        let ticket = state.withLock { state in
            noteChanges(&state)
            state.last += 1
            state.open.insert(state.last)
            return state.last
        }
        defer {
            state.withLock { state in
                state.close(ticket)
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
            let turn = Task.detached(executorPreference: executor) {
                await before?.value
                return await body()
            }
            state.tail = Task.detached(executorPreference: executor) { _ = await turn.value }
            return turn
        }
    }

    /// Goes on also when the caller is cancelled: a store may refuse to read for who has left.
    func shielded<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await Task.detached(executorPreference: executor) { await body() }.value
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

    /// Those of the keys that anybody has changed in the store since the question.
    func changed(_ keys: [EntityKey], since ticket: Ticket) -> [EntityKey] {
        state.withLock { state in
            noteChanges(&state)
            return keys.filter { max(state.changed[$0, default: 0], state.allChanged) >= ticket }
        }
    }

    private func noteChanges(_ state: inout State) {
        for subscription in changes where subscription.pendingFlag.isSet {
            subscription.takePending { pending in
                // What is asked from now on is asked after them.
                guard !state.open.isEmpty else { return }
                switch pending {
                case .keys(let keys): for key in keys { state.changed[key] = state.last }
                case .all: state.allChanged = state.last
                }
            }
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
            guard !state.open.isEmpty else { return }
            state.invalidations.append(Invalidation(last: state.last, covers: covers))
        }
    }
}

extension StoreError {
    static let ended = StoreError(
        .closed, message: "the account of this repository was signed out; take one of a new stack")
}
