/// The callers that wait for one task, and may leave.
///
/// When the last caller has left, the task is cancelled. Use it to coalesce equal requests.
package final class TaskWaiters: Sendable {
    private struct State {
        // Invariants while the lock is free: `isAbandoned` implies that `count` is zero; it never
        // becomes false again.

        /// The number of callers that have joined and were neither resumed nor cancelled.
        var count = 0
        /// Whether all callers have left. The task is cancelled then, and no caller may join.
        var isAbandoned = false
        var task: Task<Void, Never>?

        mutating func leave(effects: inout Effects) {
            count -= 1
            guard count == 0 else { return }
            isAbandoned = true
            effects.cancel(task)
        }
    }

    private let monitor = Monitor(State())

    package init() {}

    /// The number of waiting callers.
    package var count: Int { monitor.read { $0.count } }

    /// Sets the task. Call it before the first caller waits.
    ///
    /// - Parameter task: the task, which is cancelled when the last caller leaves.
    package func set(_ task: Task<Void, Never>) { monitor.withLock { state, _ in state.task = task } }

    /// Adds a caller. Call ``wait(for:)`` or ``leave(_:)`` once for it.
    ///
    /// - Returns: nil if all callers have left. The task is cancelled then.
    package func join() -> WaitTicket? {
        monitor.withLock { state, effects in
            // The task is cancelled. A caller that joined now would receive a cancellation that it
            // did not ask for.
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
            // This runs in the step that cancels the ticket. If it were a second step, a caller
            // could join between the two and be abandoned too.
            state.leave(effects: &effects)
        }
    }

    /// Removes a caller that does not wait.
    ///
    /// It has no effect after ``resume()``.
    package func leave(_ ticket: WaitTicket) {
        monitor.withLock { state, effects in
            if effects.withdraw(ticket) { state.leave(effects: &effects) }
        }
    }

    /// Resumes all callers in the order in which they joined.
    ///
    /// Call it once. No caller may join later.
    package func resume() {
        monitor.withLock { state, effects in
            // A caller that is cancelled after this has its ticket decided, so it does not count
            // down again.
            state.count = 0
            effects.resumeAll()
        }
    }
}
