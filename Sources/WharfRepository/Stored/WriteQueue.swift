internal import Synchronization
internal import WharfCore

/// Runs the changes of a repository one after the other, in the order of the calls.
///
/// Answers to reads need no turn: they are committed by compare-and-set. A change of the app is
/// made on what the change before it has made, so it has to wait for that one.
final class WriteQueue: Sendable {
    private struct State {
        var tail: Task<Void, Never>?
        var isEnded = false
    }

    private let state = Mutex(State())
    /// Where turns run; nil for the global executor.
    let executor: (any TaskExecutor)?

    init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// Waits for its turn. It runs to its end also if the caller is cancelled.
    func turn<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await enqueue(body).value
    }

    /// Takes a place at the call.
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

    /// Runs to its end also if the caller is cancelled: a store may refuse to read for a cancelled
    /// task.
    func shielded<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        await Task.detached(executorPreference: executor) { await body() }.value
    }

    /// Keeps everything out of the store from now on.
    func end() { state.withLock { $0.isEnded = true } }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Waits for the turns that were taken.
    func drain() async { await state.withLock { $0.tail }?.value }
}

extension StoreError {
    static let ended = StoreError(
        .closed, message: "the account of this repository was signed out; take one of a new stack")
}
