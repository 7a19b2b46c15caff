internal import Synchronization

/// Lets callers who want the same thing at the same time share one piece of work.
///
/// The work runs detached, so that the first caller's task-locals, priority and cancellation do not reach the others. A caller
/// who is cancelled leaves at once; when the last one leaves, the work is cancelled.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let key: Key
        var task: Task<Void, Never>?
        var waiting: [UInt64: CheckedContinuation<Value?, Never>] = [:]
    }

    private struct State {
        var flights: [UInt64: Flight] = [:]
        /// Those that can be joined.
        var open: [Key: UInt64] = [:]
        /// The flight of each waiter.
        var seats: [UInt64: UInt64] = [:]
        var lastSerial: UInt64 = 0

        mutating func serial() -> UInt64 {
            lastSerial += 1
            return lastSerial
        }

        mutating func close(_ flight: UInt64) {
            guard let key = flights[flight]?.key, open[key] == flight else { return }
            open[key] = nil
        }

        mutating func end(_ flight: UInt64) -> [UInt64: CheckedContinuation<Value?, Never>] {
            close(flight)
            let waiting = flights.removeValue(forKey: flight)?.waiting ?? [:]
            for waiter in waiting.keys { seats[waiter] = nil }
            return waiting
        }
    }

    private let state = Mutex(State())
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
        let waiter = state.withLock { $0.serial() }
        let value = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, as: waiter, continuation, work)
            }
        } onCancel: {
            leave(waiter)
        }
        guard let value else { throw CancellationError() }
        return value
    }

    /// Callers that wait for `key` now, and for what can still be joined.
    package func waiting(for key: Key) -> Int {
        state.withLock { state in state.open[key].flatMap { state.flights[$0] }?.waiting.count ?? 0 }
    }

    private func join(
        _ key: Key, as waiter: UInt64, _ continuation: CheckedContinuation<Value?, Never>,
        _ work: @escaping @Sendable (_ close: @Sendable () -> Void) async -> Value
    ) {
        let joined = state.withLock { state -> Bool in
            // A cancellation that came before this moment found nobody to wake.
            if Task.isCancelled { return false }
            let flight = state.open[key] ?? begin(key, work, in: &state)
            state.flights[flight]?.waiting[waiter] = continuation
            state.seats[waiter] = flight
            return true
        }
        if !joined { continuation.resume(returning: nil) }
    }

    private func begin(
        _ key: Key, _ work: @escaping @Sendable (_ close: @Sendable () -> Void) async -> Value, in state: inout State
    ) -> UInt64 {
        let flight = state.serial()
        let task = Task.detached(executorPreference: executor) { [self] in
            land(flight, await work { self.state.withLock { $0.close(flight) } })
        }
        state.flights[flight] = Flight(key: key, task: task)
        state.open[key] = flight
        return flight
    }

    private func land(_ flight: UInt64, _ value: Value) {
        // First come, first served.
        let waiting = state.withLock { $0.end(flight) }.sorted { $0.key < $1.key }
        for (_, continuation) in waiting { continuation.resume(returning: value) }
    }

    private func leave(_ waiter: UInt64) {
        let (continuation, abandoned) = state.withLock { state in
            guard let flight = state.seats.removeValue(forKey: waiter) else {
                return (CheckedContinuation<Value?, Never>?.none, Task<Void, Never>?.none)
            }
            let continuation = state.flights[flight]?.waiting.removeValue(forKey: waiter)
            guard let left = state.flights[flight], left.waiting.isEmpty else { return (continuation, nil) }
            _ = state.end(flight)
            return (continuation, left.task)
        }
        abandoned?.cancel()
        continuation?.resume(returning: nil)
    }
}
