internal import Synchronization

/// The background tasks of a cache, from its first observer until it is closed.
final class BackgroundTasks: Sendable {
    private struct State {
        // Invariant while the lock is free: after a cancellation no task is held, and none is
        // added.
        var isStarted = false
        var isCancelled = false
        var tasks: [Task<Void, Never>] = []
        var timer: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Runs `start` at the first call.
    ///
    /// If ``cancel()`` came before, the tasks that it gives are cancelled at once.
    func startOnce(_ start: () -> [Task<Void, Never>]) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        // `start` runs outside of the lock, because it subscribes to sources that are not of this
        // type.
        guard isFirst else { return }
        let tasks = start()
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.tasks = tasks }
            return state.isCancelled
        }
        // The cancellation came while the tasks were made. They would otherwise run for ever.
        if isCancelled { for task in tasks { task.cancel() } }
    }

    /// Holds the one running timer, in the place of an earlier one that has ended.
    func runTimer(_ timer: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.timer = timer }
            return state.isCancelled
        }
        if isCancelled { timer.cancel() }
    }

    func cancel() {
        let tasks = state.withLock { state in
            defer { (state.isCancelled, state.tasks, state.timer) = (true, [], nil) }
            return state.tasks + (state.timer.map { [$0] } ?? [])
        }
        for task in tasks { task.cancel() }
    }
}
