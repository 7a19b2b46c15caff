internal import Synchronization

/// Lets callers who want the same thing at the same time share one piece of work.
///
/// The work runs detached, so that the first caller's task-locals, priority and cancellation do not reach the others. A caller
/// who is cancelled leaves at once; when the last one leaves, the work is cancelled.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Flight: Sendable {
        let seats = Seats()
        /// Not locked: it is written once, before anybody is woken, and read by those who are. A lock would make them queue for it.
        nonisolated(unsafe) var value: Value?
        let task = Mutex<Task<Void, Never>?>(nil)
    }

    /// Those that can be joined.
    private let open = Mutex<[Key: Flight]>([:])
    private let executor: (any TaskExecutor)?

    /// - Parameter executor: where the work runs; nil for the global one. A detached task would not inherit a preference.
    public init(executor: (any TaskExecutor)? = nil) {
        self.executor = executor
    }

    /// Joins the work under `key`, or begins it.
    ///
    /// - Throws: `CancellationError` when this caller's task is cancelled; the others are not touched.
    public func run(
        _ key: Key, _ work: @escaping @Sendable () async -> Value
    ) async throws(CancellationError) -> Value {
        try await run(key) { _ in await work() }
    }

    /// The same for work whose outcome others see before its callers do: who comes when they have seen it must not be given it again.
    ///
    /// - Parameter work: calls what it is given when nobody may join any more, at the latest when it returns.
    package func run(
        _ key: Key, closing work: @escaping @Sendable (_ close: @Sendable () -> Void) async -> Value
    ) async throws(CancellationError) -> Value {
        // Nobody begins what nobody waits for.
        guard !Task.isCancelled else { throw CancellationError() }
        let (flight, seat) = open.withLock { open in
            if let flight = open[key], let seat = flight.seats.take() { return (flight, seat) }
            let flight = begin(key, work)
            open[key] = flight
            return (flight, Seats.first)
        }
        let hasLanded = await flight.seats.wait(in: seat) { flight.task.withLock { $0 }?.cancel() }
        guard hasLanded, let value = flight.value else { throw CancellationError() }
        return value
    }

    /// Callers that wait for `key` now, and for what can still be joined.
    package func waiting(for key: Key) -> Int {
        open.withLock { $0[key] }?.seats.taken ?? 0
    }

    private func begin(
        _ key: Key, _ work: @escaping @Sendable (_ close: @Sendable () -> Void) async -> Value
    ) -> Flight {
        let flight = Flight()
        let task = Task.detached(executorPreference: executor) { [self] in
            let value = await work { self.close(flight, key) }
            close(flight, key)
            flight.value = value
            flight.seats.land()
        }
        flight.task.withLock { $0 = task }
        return flight
    }

    private func close(_ flight: Flight, _ key: Key) {
        open.withLock { open in
            if open[key] === flight { open[key] = nil }
        }
    }
}
