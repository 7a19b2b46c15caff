internal import Synchronization

/// A FIFO mutex that is held across suspension points.
///
/// A task that waits for it is not woken by its cancellation: the body runs for every caller.
package final class AsyncMutex: Sendable {
    private struct State {
        var isHeld = false
        /// Invariant: empty while the mutex is free.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs the body while no other body runs, in the order of the calls.
    package func withLock<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await lock()
        defer { unlock() }
        return try await body()
    }

    private func lock() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isHeld { state.waiters.append(continuation) }
                defer { state.isHeld = true }
                return !state.isHeld
            }
            if isFree { continuation.resume() }
        }
    }

    private func unlock() {
        // The mutex stays held when it passes to a waiter, so a third caller can't overtake the waiter.
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiters.isEmpty else {
                state.isHeld = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        // Resumed outside of the lock: the waiter may run at once on this thread and take the lock again.
        next?.resume()
    }
}
