internal import Synchronization

/// Coalesced runs of a refresh that many changes ask for.
///
/// One runs at a time, and one more follows for all that asked meanwhile.
final class RefreshRuns: Sendable {
    // Invariant: `isDue` implies `isRunning`. A call during a run sets it, and the running task
    // takes it at its end.
    private let state = Mutex((isRunning: false, isDue: false))

    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Asks for a run.
    ///
    /// - Returns: whether the caller has to start a run. Otherwise another run follows the present
    ///   one.
    func ask() -> Bool {
        state.withLock { state in
            if state.isRunning { state.isDue = true }
            defer { state.isRunning = true }
            return !state.isRunning
        }
    }

    /// Ends a run.
    ///
    /// - Returns: whether another run follows.
    func end() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            // One step: a call between the two would neither start a run nor be followed by one.
            state.isRunning = state.isDue
            return state.isDue
        }
    }
}

extension ReadThrough {
    /// Runs a refresh in a task of its own. Calls during a run share the next one.
    func refreshLater(_ refresh: @escaping @Sendable () async -> Void) {
        guard runs.ask() else { return }
        Task.detached(executorPreference: executor) { [runs] in
            repeat { await refresh() } while runs.end()
        }
    }
}
