internal import Synchronization

/// Lets callers who want the same thing at the same time share one piece of work.
///
/// The work runs detached, so that the first caller's task-locals, priority and cancellation do not reach the others. A caller
/// who is cancelled leaves at once; when the last one leaves, the work is cancelled.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let serial: UInt64
        var task: Task<Void, Never>?
        var waiting: [UInt64: CheckedContinuation<Value?, Never>] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastSerial: UInt64 = 0

        mutating func serial() -> UInt64 {
            lastSerial += 1
            return lastSerial
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
        let waiter = state.withLock { $0.serial() }
        let value = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, as: waiter, continuation, work)
            }
        } onCancel: {
            leave(key, waiter)
        }
        guard let value else { throw CancellationError() }
        return value
    }

    /// Callers that wait for `key` now.
    package func waiting(for key: Key) -> Int {
        state.withLock { $0.flights[key]?.waiting.count ?? 0 }
    }

    private func join(
        _ key: Key, as waiter: UInt64, _ continuation: CheckedContinuation<Value?, Never>,
        _ work: @escaping @Sendable () async -> Value
    ) {
        let joined = state.withLock { state -> Bool in
            // A cancellation that came before this moment found nobody to wake.
            if Task.isCancelled { return false }
            if state.flights[key] == nil {
                let serial = state.serial()
                var flight = Flight(serial: serial)
                flight.task = Task.detached(executorPreference: executor) { [self] in
                    land(key, serial, await work())
                }
                state.flights[key] = flight
            }
            state.flights[key]?.waiting[waiter] = continuation
            return true
        }
        if !joined { continuation.resume(returning: nil) }
    }

    private func land(_ key: Key, _ serial: UInt64, _ value: Value) {
        let waiting = state.withLock { state in
            guard state.flights[key]?.serial == serial else { return [UInt64: CheckedContinuation<Value?, Never>]() }
            return state.flights.removeValue(forKey: key)?.waiting ?? [:]
        }
        for continuation in waiting.values { continuation.resume(returning: value) }
    }

    private func leave(_ key: Key, _ waiter: UInt64) {
        let (continuation, abandoned) = state.withLock { state in
            let continuation = state.flights[key]?.waiting.removeValue(forKey: waiter)
            var abandoned: Task<Void, Never>?
            if continuation != nil, let flight = state.flights[key], flight.waiting.isEmpty {
                abandoned = flight.task
                state.flights[key] = nil
            }
            return (continuation, abandoned)
        }
        abandoned?.cancel()
        continuation?.resume(returning: nil)
    }
}
