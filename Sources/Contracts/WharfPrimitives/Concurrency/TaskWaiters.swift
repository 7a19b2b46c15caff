/// The callers that wait for one task, and may leave.
///
/// When the last caller has left, the task is cancelled. Use it to coalesce equal requests.
package final class TaskWaiters: Sendable {
    private struct State {
        /// The number of callers that have joined and were neither resumed nor cancelled.
        var count = 0
        /// Whether all callers have left. The task is cancelled then, and no caller may join.
        var isAbandoned = false
        var task: Task<Void, Never>?
    }

    private let monitor = Monitor(State())

    package init() {}

    /// The number of waiting callers.
    package var count: Int { monitor.read { $0.count } }

    /// Sets the task. Call it before the first caller waits.
    ///
    /// - Parameter task: the task, which is cancelled when the last caller leaves.
    package func set(_ task: Task<Void, Never>) { monitor.withLock { state, _ in state.task = task } }

    /// Adds a caller. Call ``wait(for:)`` once for it.
    ///
    /// - Returns: nil if all callers have left. The task is cancelled then.
    package func join() -> WaitTicket? {
        monitor.withLock { state, effects in
            guard !state.isAbandoned else { return nil }
            state.count += 1
            return effects.reserve()
        }
    }

    /// Waits for ``resume()``, unless the caller is cancelled.
    ///
    /// - Returns: false if the caller was cancelled before it was resumed.
    package func wait(for ticket: WaitTicket) async -> Bool {
        await monitor.waitUnlessCancelled(for: ticket) { state, effects in
            state.count -= 1
            guard state.count == 0 else { return }
            state.isAbandoned = true
            effects.cancel(state.task)
        }
    }

    /// Resumes all callers in the order in which they joined.
    ///
    /// Call it once. No caller may join later.
    package func resume() {
        monitor.withLock { state, effects in
            state.count = 0
            effects.resumeAll()
        }
    }
}
