internal import Synchronization
internal import WharfCore

/// A FIFO queue that runs the changes of a repository one at a time.
///
/// Answers to reads need no turn, because they are committed by compare-and-set. A change of the
/// app builds on the result of the change before it, so it has to wait for that one.
final class WriteQueue: Sendable {
    private struct State {
        // Invariant: `tail` ends when the last turn that was taken has ended. Turns form a chain,
        // so they run in the order of the calls.
        var tail: Task<Void, Never>?
        var isEnded = false
    }

    private let state = Mutex(State())
    /// The executor of turns; nil for the global executor.
    let executor: (any TaskExecutor)?

    init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

    /// Runs a body in its turn, to its end even if the caller is cancelled.
    func turn<Value: Sendable, Failure>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await enqueue(body).value.get()
    }

    /// Takes a place in the queue at the call, and runs the body in its turn.
    func enqueue<Value: Sendable, Failure>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) -> Task<Result<Value, Failure>, Never> {
        state.withLock { state in
            // The place is taken under the lock. Two callers would otherwise follow the same turn
            // and run at once.
            let before = state.tail
            // Detached, because a change that has begun runs to its end although its caller is
            // cancelled.
            let turn = Task.detached(executorPreference: executor) {
                await before?.value
                return await Result(of: body)
            }
            state.tail = Task.detached(executorPreference: executor) { _ = await turn.value }
            return turn
        }
    }

    /// Runs a body to its end, even if the caller is cancelled.
    ///
    /// A store may refuse to read for a cancelled task.
    func shielded<Value: Sendable, Failure>(
        _ body: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await Task.detached(executorPreference: executor) { await Result(of: body) }.value.get()
    }

    /// Keeps all steps that check ``isEnded`` out of the store from now on.
    func end() { state.withLock { $0.isEnded = true } }

    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Waits until all turns that were taken have ended.
    func drain() async { await state.withLock { $0.tail }?.value }
}

extension StoreError {
    static let ended = StoreError(
        .closed, message: "the account of this repository was signed out; make it by a new stack")
}

extension Result {
    /// Runs a body, and holds its value or error.
    init(of body: () async throws(Failure) -> Success) async {
        do throws(Failure) { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
