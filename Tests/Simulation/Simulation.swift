import Synchronization

/// A deterministic scheduler: it runs tasks one job at a time, in an order that ``Choices`` decide.
///
/// ```swift
/// try Exploration.exhaustive { simulation in
///     let promise = Promise<Int>()
///     let log = Log<Int>()
///     simulation.task("reader") { log.note(await promise.wait()) }
///     simulation.task("writer") { promise.fulfil(7) }
///     return { log.notes == [7] ? nil : "expected [7], found \(log.notes)" }
/// }
/// ```
///
/// A job is what a task does between two suspensions. A run is decided by its choices alone, so the
/// choices replay it.
///
/// - A task runs here if ``task(_:_:)`` began it, if it is a child of one that does, or if it was
///   begun with this executor as its preference. A task that waits for a job elsewhere counts as
///   deadlocked.
/// - Jobs do not overlap, so a window *inside* a job is not reached: code between two locks with no
///   suspension in between. A program reaches it if it takes both steps by itself, with
///   ``step()`` in between.
package final class Simulation: TaskExecutor {
    private enum Runnable {
        case job(UnownedJob)
        case paused(UnsafeContinuation<Void, Never>)
    }

    private struct State {
        var choices: Choices
        /// In the order in which they became runnable.
        var runnable: [Runnable] = []
        var unfinished: [String] = []

        mutating func next() -> Runnable? {
            guard !runnable.isEmpty else { return nil }
            return runnable.remove(at: choices.choose(from: runnable.count))
        }
    }

    private let state: Mutex<State>

    package init(_ choices: Choices) { state = Mutex(State(choices: choices)) }

    /// The choices of the run so far.
    package var choices: Choices { state.withLock { $0.choices } }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.runnable.append(.job(job)) }
    }

    /// Begins a task, which the run has to see finished.
    @discardableResult
    package func task(_ name: String, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { $0.unfinished.append(name) }
        return Task(executorPreference: self) {
            await body()
            self.finish(name)
        }
    }

    private func finish(_ name: String) {
        state.withLock { state in
            if let index = state.unfinished.firstIndex(of: name) { state.unfinished.remove(at: index) }
        }
    }

    /// A preemption point: other jobs may run before the task goes on.
    ///
    /// It is one choice. `Task.yield()` would be two, as the runtime makes a job that only resumes.
    package func step() async {
        await withUnsafeContinuation { continuation in
            state.withLock { $0.runnable.append(.paused(continuation)) }
        }
    }

    /// A choice that the environment makes: which of `count` things happens, such as a failure.
    package func choose(from count: Int) -> Int { state.withLock { $0.choices.choose(from: count) } }

    /// Runs jobs until none is left.
    ///
    /// - Parameter limit: more jobs than this mean that the tasks do not end.
    package func run(limit: Int = 100_000) throws(Failure) {
        var steps = 0
        while let next = state.withLock({ $0.next() }) {
            steps += 1
            if steps > limit { throw .endless(steps: limit) }
            switch next {
            case .job(let job): run(job)
            case .paused(let continuation):
                continuation.resume()
                // The task has enqueued its job by that. The same step runs it.
                let resumed = state.withLock { $0.runnable.popLast() }
                if case .job(let job)? = resumed { run(job) }
            }
        }
        let unfinished = state.withLock { $0.unfinished }
        if !unfinished.isEmpty { throw .deadlock(unfinished: unfinished) }
    }

    private func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }

    /// Why a run is not as it should be.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// No job is left, and these tasks wait.
        case deadlock(unfinished: [String])
        case endless(steps: Int)
        /// The program's check found this.
        case violation(String)

        package var description: String {
            switch self {
            case .deadlock(let unfinished): "deadlock: no job is left, and these tasks wait: \(unfinished)"
            case .endless(let steps): "the tasks did not end within \(steps) steps"
            case .violation(let text): text
            }
        }
    }
}
