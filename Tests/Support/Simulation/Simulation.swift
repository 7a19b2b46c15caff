import Synchronization

/// A deterministic scheduler that runs tasks one job at a time, in an order of ``Choices``.
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
/// A job is the part of a task between two suspensions. The choices alone determine a run, so they
/// can replay it.
///
/// - A task runs here if ``task(_:_:)`` began it, or if it is a child of such a task. It also runs
///   here if it was begun with this executor as its preference. A task that waits for a job on
///   another executor counts as deadlocked.
/// - Jobs do not overlap, so a race *inside* a job is not found. An example is code between two
///   locks without a suspension in between. A program finds it by taking both steps itself, with
///   ``step()`` in between.
package final class Simulation: TaskExecutor {
    private enum Runnable {
        case job(UnownedJob)
        case paused(UnsafeContinuation<Void, Never>)
    }

    private struct State {
        var choices: Choices
        /// The runnable jobs, in the order in which they became runnable.
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

    /// Begins a task that the run must see finish.
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

    /// Suspends the task, so that other jobs may run before it continues.
    ///
    /// It is one choice. `Task.yield()` would be two, as the runtime enqueues a job that only
    /// resumes.
    package func step() async {
        await withUnsafeContinuation { continuation in
            state.withLock { $0.runnable.append(.paused(continuation)) }
        }
    }

    /// Chooses which of `count` events happens in the environment, such as a failure.
    package func choose(from count: Int) -> Int { state.withLock { $0.choices.choose(from: count) } }

    /// Runs jobs until none is left.
    ///
    /// - Parameter limit: the number of jobs after which the tasks count as endless.
    package func run(limit: Int = 100_000) throws(Failure) {
        var steps = 0
        while let next = state.withLock({ $0.next() }) {
            steps += 1
            if steps > limit { throw .endless(steps: limit) }
            switch next {
            case .job(let job): run(job)
            case .paused(let continuation):
                continuation.resume()
                // The resumed task has enqueued its job by now, and this step runs it.
                let resumed = state.withLock { $0.runnable.popLast() }
                if case .job(let job)? = resumed { run(job) }
            }
        }
        let unfinished = state.withLock { $0.unfinished }
        if !unfinished.isEmpty { throw .deadlock(unfinished: unfinished) }
    }

    private func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }

    /// The reason why a run fails.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// No job is left, and these tasks wait.
        case deadlock(unfinished: [String])
        case endless(steps: Int)
        /// The violation that the program's check found.
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
