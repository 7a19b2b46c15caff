internal import Synchronization
internal import WharfPrimitives

/// Lets callers who want the same thing at the same time share one piece of work.
///
/// The work runs detached, so that the first caller's task-locals, priority and cancellation do not
/// reach the others. A caller who is cancelled leaves at once; when the last one leaves, the work
/// is cancelled.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// One piece of work, and the callers that wait for it.
    private final class Flight: Sendable {
        // Not generic, so that thousands of waiters cost little.
        let callers = TaskWaiters()
        /// Not locked: it is written once, before a caller is resumed, and read after that. A lock
        /// would make all callers queue for it at the same moment.
        nonisolated(unsafe) var value: Value?
    }

    /// Those that can be joined.
    private let open = Mutex<[Key: Flight]>([:])
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: where the work runs; nil for the global one. A detached task would not
    ///   inherit a preference.
    public init(executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// Joins the work under `key`, or begins it.
    ///
    /// - Throws: `CancellationError` when this caller's task is cancelled; the others are not
    ///   touched.
    public func run(
        _ key: Key, _ work: @escaping @Sendable () async -> Value
    ) async throws(CancellationError) -> Value {
        try await run(key) { _ in await work() }
    }

    /// The same for work whose outcome others see before its callers do: who comes when they have
    /// seen it must not be given it again.
    ///
    /// - Parameter work: calls what it is given when nobody may join any more, at the latest when
    ///   it returns.
    package func run(
        _ key: Key, closing work: @escaping @Sendable (_ close: @Sendable () -> Void) async -> Value
    ) async throws(CancellationError) -> Value {
        // Nobody begins what nobody waits for.
        guard !Task.isCancelled else { throw CancellationError() }
        let (flight, ticket) = open.withLock { open in
            if let flight = open[key], let ticket = flight.callers.join() { return (flight, ticket as WaitTicket?) }
            let flight = Flight()
            // Before the work begins, which may end before this caller waits.
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

    /// Callers that wait for `key` now, and for what can still be joined.
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
