/// A FIFO mutex for each key.
///
/// A key costs nothing while no task holds or awaits its mutex.
package final class KeyedAsyncMutex<Key: Hashable & Sendable>: Sendable {
    /// A place in the queue of one key.
    package struct Place: Sendable {
        fileprivate let key: Key
        /// Nil for the place that found its mutex free.
        fileprivate let ticket: WaitTicket?
    }

    /// The queue of each key whose mutex is held.
    private let monitor = Monitor<[Key: WaitQueue]>([:])

    package init() {}

    /// Runs the body while no other body of the key runs, in the order of the calls.
    package func withLock<Value, Failure: Error>(
        _ key: Key, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let place = reserve(key)
        defer { leave(place) }
        await wait(for: place)
        return try await body()
    }

    /// Takes the last place in the key's queue without waiting.
    ///
    /// Call ``leave(_:)`` once for it.
    package func reserve(_ key: Key) -> Place {
        monitor.withLock { queues, effects in
            guard let queue = queues[key] else {
                queues[key] = effects.makeQueue()
                return Place(key: key, ticket: nil)
            }
            return Place(key: key, ticket: effects.reserve(in: queue))
        }
    }

    /// Waits until all earlier places of the key are left. Call it at most once per place.
    package func wait(for place: Place) async {
        if let ticket = place.ticket { await monitor.wait(for: ticket) }
    }

    /// Gives up the place, before or after its turn.
    package func leave(_ place: Place) {
        monitor.withLock { queues, effects in
            // Before its turn the place holds nothing to pass on.
            if let ticket = place.ticket, effects.withdraw(ticket) { return }
            guard let queue = queues[place.key], !effects.resumeFirst(of: queue) else { return }
            queues[place.key] = nil
            effects.remove(queue)
        }
    }
}
