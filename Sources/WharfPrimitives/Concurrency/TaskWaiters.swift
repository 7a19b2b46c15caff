/// The callers that wait for one task, each of which may leave.
///
/// When the last caller has left, the task is cancelled. Use it to coalesce equal requests.
package final class TaskWaiters: Sendable {
    private struct State {
        /// Callers that have joined and neither left nor were resumed.
        var count = 0
        /// All callers have left, so the task is cancelled and no caller may join.
        var isAbandoned = false
        var task: Task<Void, Never>?
    }

    private let monitor = Monitor(State())

    package init() {}

    /// Callers that wait now.
    package var count: Int { monitor.read { $0.count } }

    /// - Parameter task: is cancelled when the last caller leaves. Set before the first caller
    ///   waits.
    package func set(_ task: Task<Void, Never>) { monitor.withLock { state, _ in state.task = task } }

    /// Takes a place among the callers. To be followed by one ``wait(for:)``.
    ///
    /// - Returns: nil if all callers have left. Then the task is cancelled.
    package func join() -> WaitTicket? {
        monitor.withLock { state, effects in
            guard !state.isAbandoned else { return nil }
            state.count += 1
            return effects.reserve()
        }
    }

    /// Waits for ``resume()``, unless the caller is cancelled.
    ///
    /// - Returns: false if the caller was cancelled before.
    package func wait(for ticket: WaitTicket) async -> Bool {
        await monitor.waitUnlessCancelled(for: ticket) { state, effects in
            state.count -= 1
            guard state.count == 0 else { return }
            state.isAbandoned = true
            effects.cancel(state.task)
        }
    }

    /// Resumes all callers in the order in which they joined. Called once; no caller joins later.
    package func resume() {
        monitor.withLock { state, effects in
            state.count = 0
            effects.resumeAll()
        }
    }
}
