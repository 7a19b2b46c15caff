internal import Synchronization
internal import WharfPrimitives

/// Deduplicates concurrent work: callers with one key share one run.
///
/// The work runs detached, so the first caller's task-locals, priority and cancellation do not
/// reach the other callers. A cancelled caller returns at once. When the last caller is cancelled,
/// the work is cancelled too.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// One piece of work, and the callers that wait for it.
    fileprivate final class Flight: Sendable {
        // `TaskWaiters` is not generic, so that thousands of waiters cost little.
        let callers = TaskWaiters()
        /// The result. It needs no lock: it is written once, before a caller is resumed, and read
        /// only after that. With a lock, all callers would contend for it at the moment when they
        /// are resumed.
        nonisolated(unsafe) var value: Value?
    }

    /// A caller's place in a flight.
    ///
    /// ``wait(for:)`` or ``leave(_:)`` is called once for it.
    package struct Ticket: Sendable {
        fileprivate let flight: Flight
        fileprivate let place: WaitTicket
        /// Whether this caller has started the work.
        package let isFirst: Bool
    }

    // Lock order: `open`, then the callers of a flight. The work starts under the lock, and its
    // `close` waits until the flight is in the map.

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
        guard !Task.isCancelled, let ticket = join(key, closing: work) else { throw CancellationError() }
        return try await wait(for: ticket)
    }

    /// Joins the work under `key`, or starts it, without waiting for it.
    ///
    /// Use it to join in one step with another change, under a lock of the caller.
    package func join(
        _ key: Key, closing work: @escaping @Sendable (_ close: @Sendable () -> Void) async -> Value
    ) -> Ticket? {
        open.withLock { open in
            // A flight that all callers have left refuses to be joined: its work is cancelled. A
            // new one takes its place.
            if let flight = open[key], let place = flight.callers.join() {
                return Ticket(flight: flight, place: place, isFirst: false)
            }
            let flight = Flight()
            // Join before the work starts: the work may end before this caller waits.
            let place = flight.callers.join()
            begin(flight, key, work)
            open[key] = flight
            return place.map { Ticket(flight: flight, place: $0, isFirst: true) }
        }
    }

    /// Waits for the work.
    ///
    /// - Throws: `CancellationError` if this caller's task is cancelled.
    package func wait(for ticket: Ticket) async throws(CancellationError) -> Value {
        // The write of the value happens before `resume()`, which happens before this read.
        guard await ticket.flight.callers.wait(for: ticket.place), let value = ticket.flight.value else {
            throw CancellationError()
        }
        return value
    }

    /// Leaves the work. The last caller to leave cancels it.
    package func leave(_ ticket: Ticket) { ticket.flight.callers.leave(ticket.place) }

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
            // Written after the flight is closed and before its callers resume. No other task
            // touches it in between.
            flight.value = value
            flight.callers.resume()
        }
        flight.callers.set(task)
    }

    private func close(_ flight: Flight, _ key: Key) {
        open.withLock { open in
            // A later flight may have the key by now. It must not be closed by an abandoned one.
            if open[key] === flight { open[key] = nil }
        }
    }
}
