import Synchronization

/// Runs its jobs when the test says so, and calls the test back from inside of `enqueue`.
///
/// `enqueue` is called from inside of `resume()` and `yield(_:)`. So the callback stands for
/// another thread that comes in exactly there.
final class HookedExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var hook: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Calls `hook` at the next job, once.
    func onEnqueue(_ hook: @escaping @Sendable () -> Void) { state.withLock { $0.hook = hook } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let hook = state.withLock { state in
            state.jobs.append(job)
            defer { state.hook = nil }
            return state.hook
        }
        hook?()
    }

    /// Runs jobs on this thread until none is left.
    func runJobs() {
        while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
