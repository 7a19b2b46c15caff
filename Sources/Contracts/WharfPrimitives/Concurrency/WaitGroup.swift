/// A counter of running work, with a wait until none is left.
package final class WaitGroup: Sendable {
    private struct State {
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
            if !state.isClosed { state.running += 1 }
            return !state.isClosed
        }
    }

    package func leave() {
        monitor.withLock { state, effects in
            state.running -= 1
            precondition(state.running >= 0, "a wait group was left more often than it was entered")
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
