/// A counter of running work, with a wait until none is left.
package final class WaitGroup: Sendable {
    private struct State {
        // Invariant: `running` counts the work that entered and did not leave. Closing refuses new
        // work and does not affect running work.
        var running = 0
        var isClosed = false
    }

    private let monitor = Monitor(State())

    package init() {}

    /// Adds one piece of work. Call ``leave()`` once for it.
    ///
    /// - Returns: false if the group is closed. The work was not counted then.
    @discardableResult
    package func enter() -> Bool {
        monitor.withLock { state, _ in
            // The test and the count are one step. Otherwise work could enter after `close()`,
            // behind a `wait()` that has already found zero.
            if !state.isClosed { state.running += 1 }
            return !state.isClosed
        }
    }

    package func leave() {
        monitor.withLock { state, effects in
            state.running -= 1
            precondition(state.running >= 0, "a wait group was left more often than it was entered")
            // New work may enter before a waiter continues. Only after `close()` does the zero
            // last.
            if state.running == 0 { effects.resumeAll() }
        }
    }

    /// Waits until no work is running, even if the task is cancelled.
    package func wait() async {
        let ticket = monitor.withLock { state, effects in state.running == 0 ? nil : effects.reserve() }
        if let ticket { await monitor.wait(for: ticket) }
    }

    /// Whether ``enter()`` refuses work.
    package var isClosed: Bool { monitor.read { $0.isClosed } }

    /// Refuses new work from now on.
    ///
    /// - Returns: false if the group was already closed.
    package func close() -> Bool {
        monitor.withLock { state, _ in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }
}
