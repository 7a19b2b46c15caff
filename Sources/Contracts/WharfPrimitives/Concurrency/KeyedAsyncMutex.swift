/// A FIFO mutex for each key.
///
/// A key costs nothing while no task holds or awaits its mutex.
package final class KeyedAsyncMutex<Key: Hashable & Sendable>: Sendable {
    /// A place in the queue of one key.
    package struct Reservation: Sendable {
        fileprivate let key: Key
        /// Nil for the place that found its mutex free.
        fileprivate let ticket: WaitTicket?
    }

    // Invariant: a key is in the dictionary if and only if a place holds its mutex. Places in its
    // queue are the waiters behind the holder.

    /// The queue of each key whose mutex is held.
    private let monitor = Monitor<[Key: WaitQueue]>([:])

    package init() {}

    /// Runs the body while no other body of the key runs, in the order of the calls.
    package func withLock<Value, Failure: Error>(
        _ key: Key, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        // The place is reserved before the first suspension, so the order of the calls is the order
        // of the bodies.
        let reservation = reserve(key)
        defer { leave(reservation) }
        await wait(for: reservation)
        return try await body()
    }

    /// Takes the last place in the key's queue without waiting.
    ///
    /// Call ``leave(_:)`` once for it.
    package func reserve(_ key: Key) -> Reservation {
        monitor.withLock { queues, effects in
            guard let queue = queues[key] else {
                queues[key] = effects.makeQueue()
                return Reservation(key: key, ticket: nil)
            }
            return Reservation(key: key, ticket: effects.reserve(in: queue))
        }
    }

    /// Waits until all earlier places of the key are left. Call it at most once per place.
    package func wait(for reservation: Reservation) async {
        if let ticket = reservation.ticket { await monitor.wait(for: ticket) }
    }

    /// Gives up the place, before or after its turn.
    package func leave(_ reservation: Reservation) {
        monitor.withLock { queues, effects in
            // Before its turn the place holds nothing to pass on.
            if let ticket = reservation.ticket, effects.withdraw(ticket) { return }
            // The mutex passes to the first waiter without becoming free. Otherwise a new caller
            // could overtake.
            guard let queue = queues[reservation.key], !effects.resumeFirst(of: queue) else { return }
            // Without this removal the dictionary would keep one queue for each key that was ever
            // locked.
            queues[reservation.key] = nil
            effects.remove(queue)
        }
    }
}
