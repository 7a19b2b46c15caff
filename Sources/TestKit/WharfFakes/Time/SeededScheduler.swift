internal import Synchronization
internal import WharfRandom

/// An executor that runs tasks one at a time, in an order decided by a seed.
///
/// It makes a race repeatable.
///
/// ```swift
/// for seed in 1...1_000 as ClosedRange<UInt64> {
///     try SeededScheduler(seed: seed).run { scheduler in
///         let notes = Repository(.notes, in: store, remote: source, configuration: .init(executor: scheduler))
///         async let one = notes.snapshot(id: 1)
///         async let two = notes.snapshot(id: 1)
///         …
///     }
/// }
/// ```
///
/// Child tasks run here without further code, and so do actors without an executor of their own. A
/// `Task` needs `executorPreference:`. Tasks must not wait for work that runs elsewhere, such as a
/// database, a real clock or the main actor. The scheduler would take them for stalled. Sets and
/// dictionaries have another order in each process. Set `SWIFT_DETERMINISTIC_HASHING=1` to repeat a
/// failure.
public final class SeededScheduler: TaskExecutor {
    private struct State {
        var random: SeededGenerator
        var jobs: [UnownedJob] = []

        /// Removes a random job. All jobs are equally likely.
        mutating func next() -> UnownedJob? {
            guard !jobs.isEmpty else { return nil }
            jobs.swapAt(Int.random(in: jobs.indices, using: &random), jobs.count - 1)
            return jobs.removeLast()
        }
    }

    // `jobs` holds every enqueued job that has not begun. Its order depends only on the seed,
    // unless a job is enqueued from another thread.
    private let state: Mutex<State>

    /// Creates a scheduler.
    public init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Only enqueued, never run here: the caller may hold a lock that the job needs.
        state.withLock { $0.jobs.append(job) }
    }

    /// Runs `body` and its tasks on the calling thread until no job is left.
    ///
    /// - Parameter limit: the maximum number of steps. A step goes from one suspension to the next.
    /// - Throws: ``Stalled`` if no job is left and `body` has not returned, or if the limit is
    ///   exceeded. The remaining tasks would continue in the next run, so use another scheduler
    ///   then.
    public func run<Result: Sendable>(
        limit: Int = 1_000_000, _ body: @escaping @Sendable (SeededScheduler) async -> Result
    ) throws(Stalled) -> Result {
        let end = End<Result>()
        // The task is enqueued now, and runs in the loop below.
        Task(executorPreference: self) { end.take(await body(self)) }
        var steps = 0
        while let job = state.withLock({ $0.next() }) {
            steps += 1
            if steps > limit { throw Stalled(steps: limit, isRunning: true) }
            // Without the lock, as the job enqueues others.
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        guard let result = end.result.withLock({ $0 }) else { throw Stalled(steps: steps, isRunning: false) }
        return result
    }

    /// The tasks wait for each other, or never end.
    public struct Stalled: Error, CustomStringConvertible {
        /// The number of steps that were run.
        public let steps: Int
        let isRunning: Bool

        public var description: String {
            isRunning
                ? "the tasks still run after \(steps) steps, and may never end"
                : "stalled: after \(steps) steps the body has not returned, and every remaining task waits for an "
                    + "event that never comes"
        }
    }

    private final class End<Result: Sendable>: Sendable {
        let result = Mutex<Result?>(nil)

        func take(_ value: Result) { result.withLock { $0 = value } }
    }
}
