/// Counts running work, so that a task can wait until none is left.
package final class WaitGroup: Sendable {
    private struct State {
        var running = 0
        var isClosed = false
    }

    private let monitor = Monitor(State())

    package init() {}

    /// Counts one piece of work more. To be followed by one ``leave()``.
    ///
    /// - Returns: false if the group is closed. Then nothing was counted.
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

    /// Waits until no work is running, also if the task is cancelled.
    package func wait() async {
        let ticket = monitor.withLock { state, effects in state.running == 0 ? nil : effects.reserve() }
        if let ticket { await monitor.wait(for: ticket) }
    }

    /// Whether ``enter()`` turns work away.
    package var isClosed: Bool { monitor.read { $0.isClosed } }

    /// Turns new work away from now on.
    ///
    /// - Returns: false if the group was closed before.
    package func close() -> Bool {
        monitor.withLock { state, _ in
            defer { state.isClosed = true }
            return !state.isClosed
        }
    }
}
