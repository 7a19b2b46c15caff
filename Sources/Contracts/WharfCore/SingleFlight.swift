internal import Synchronization
internal import WharfPrimitives

/// Deduplicates concurrent work: callers with one key share one run.
///
/// The work runs detached, so the first caller's task-locals, priority and cancellation do not
/// reach the other callers. A cancelled caller returns at once. When the last caller is cancelled,
/// the work is cancelled too.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// One piece of work, and the callers that wait for it.
    private final class Flight: Sendable {
        // `TaskWaiters` is not generic, so that thousands of waiters cost little.
        let callers = TaskWaiters()
        /// The result. It needs no lock: it is written once, before a caller is resumed, and read
        /// only after that. With a lock, all callers would contend for it at the moment when they
        /// are resumed.
        nonisolated(unsafe) var value: Value?
    }

    /// The flights that new callers can join.
    private let open = Mutex<[Key: Flight]>([:])
    private let executor: (any TaskExecutor)?

    /// Creates a single flight without work.
    ///
    /// - Parameter executor: the executor that runs the work; nil for the global one. It is passed
    ///   explicitly because a detached task does not inherit an executor preference.
    public init(executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// Joins the work under `key`, or starts it.
    ///
    /// - Throws: `CancellationError` if this caller's task is cancelled. The other callers are not
    ///   affected.
    public func run(
        _ key: Key, _ work: @escaping @Sendable () async -> Value
    ) async throws(CancellationError) -> Value {
        try await run(key) { _ in await work() }
    }

    /// Joins the work under `key`, or starts it; the work decides when joining ends.
    ///
    /// Use it if the outcome becomes visible before the callers receive it. A caller that arrives
    /// after that moment must not get the old outcome.
    ///
    /// - Parameter work: calls `close` when callers may no longer join. A return closes it as well.
    package func run(
        _ key: Key, closing work: @escaping @Sendable (_ close: @Sendable () -> Void) async -> Value
    ) async throws(CancellationError) -> Value {
        // A cancelled caller must not start work, because no caller would wait for it.
        guard !Task.isCancelled else { throw CancellationError() }
        let (flight, ticket) = open.withLock { open in
            if let flight = open[key], let ticket = flight.callers.join() { return (flight, ticket as WaitTicket?) }
            let flight = Flight()
            // Join before the work starts: the work may end before this caller waits.
            let ticket = flight.callers.join()
            begin(flight, key, work)
            open[key] = flight
            return (flight, ticket)
        }
        guard let ticket, await flight.callers.wait(for: ticket), let value = flight.value else {
            throw CancellationError()
        }
        return value
    }

    /// The number of callers that wait for the open flight under `key`.
    package func waiting(for key: Key) -> Int {
        open.withLock { $0[key] }?.callers.count ?? 0
    }

    private func begin(
        _ flight: Flight, _ key: Key, _ work: @escaping @Sendable (_ close: @Sendable () -> Void) async -> Value
    ) {
        let task = Task.detached(executorPreference: executor) { [self] in
            let value = await work { self.close(flight, key) }
            close(flight, key)
            flight.value = value
            flight.callers.resume()
        }
        flight.callers.set(task)
    }

    private func close(_ flight: Flight, _ key: Key) {
        open.withLock { open in
            if open[key] === flight { open[key] = nil }
        }
    }
}
