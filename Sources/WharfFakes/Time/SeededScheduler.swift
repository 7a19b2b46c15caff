internal import Synchronization
internal import WharfRandom

/// Runs tasks one at a time, in an order that a seed decides: a race that can be run again.
///
/// ```swift
/// for seed in 1...1_000 as ClosedRange<UInt64> {
///     try SeededScheduler(seed: seed).run { scheduler in
///         let notes = Repository(.notes, in: store, remote: source, executor: scheduler)
///         async let one = notes.snapshot(id: 1)
///         async let two = notes.snapshot(id: 1)
///         …
///     }
/// }
/// ```
///
/// Child tasks run here by themselves, and actors that have no executor of their own; a `Task` has
/// to say `executorPreference:`. Nothing may wait for what runs elsewhere, such as a database, a
/// real clock or the main actor: it would count as waiting for nobody. Sets and dictionaries have
/// another order in each process: set `SWIFT_DETERMINISTIC_HASHING=1` to run a failure again.
public final class SeededScheduler: TaskExecutor {
    private struct State {
        var random: SeededGenerator
        var jobs: [UnownedJob] = []

        /// Any that can run, as likely as another.
        mutating func next() -> UnownedJob? {
            guard !jobs.isEmpty else { return nil }
            jobs.swapAt(Int.random(in: jobs.indices, using: &random), jobs.count - 1)
            return jobs.removeLast()
        }
    }

    private let state: Mutex<State>

    public init(seed: UInt64) { state = Mutex(State(random: SeededGenerator(seed: seed))) }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Runs `body` on the calling thread, and all that it sets going, until nothing is left to run.
    ///
    /// - Parameter limit: how many steps, each from one suspension to the next, are enough.
    /// - Throws: ``Stalled`` when nothing is left to run and `body` has not returned, or when it
    ///   takes more steps. What is left over then would go on in another run: take another
    ///   scheduler.
    public func run<Result: Sendable>(
        limit: Int = 1_000_000, _ body: @escaping @Sendable (SeededScheduler) async -> Result
    ) throws(Stalled) -> Result {
        let end = End<Result>()
        Task(executorPreference: self) { end.take(await body(self)) }
        var steps = 0
        while let job = state.withLock({ $0.next() }) {
            steps += 1
            if steps > limit { throw Stalled(steps: limit, isRunning: true) }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
        guard let result = end.result.withLock({ $0 }) else { throw Stalled(steps: steps, isRunning: false) }
        return result
    }

    /// Tasks wait for each other, or never come to an end.
    public struct Stalled: Error, CustomStringConvertible {
        public let steps: Int
        let isRunning: Bool

        public var description: String {
            isRunning
                ? "expected everything to come to an end, but it still runs after \(steps) steps"
                : "expected the body to return, but after \(steps) steps all that is left waits for something that nobody does"
        }
    }

    private final class End<Result: Sendable>: Sendable {
        let result = Mutex<Result?>(nil)

        func take(_ value: Result) { result.withLock { $0 = value } }
    }
}
