/// A FIFO semaphore with a fixed number of permits.
///
/// A released permit passes to the first waiter and is never free in between. A task that comes
/// later therefore can't overtake.
package final class AsyncSemaphore: Sendable {
    /// The way in which a task got its permit.
    package enum Acquisition: Sendable {
        /// A permit was free.
        case immediate
        /// The task waited until another task released the permit to it.
        case afterWaiting
        /// The task was cancelled before it got a permit.
        case cancelled
    }

    /// A place in the queue: a permit, or the right to one of the next permits.
    package struct Place: Sendable {
        /// Nil for a permit that was free.
        fileprivate let ticket: WaitTicket?
    }

    /// The state is the number of free permits. Invariant: zero while a task waits.
    private let monitor: Monitor<Int>

    package init(permits: Int) {
        precondition(permits > 0, "a semaphore without permits lets no task through")
        monitor = Monitor(permits)
    }

    /// The number of tasks and reserved places that wait for a permit.
    package var waiting: Int { monitor.waiting }

    /// Waits for a permit, unless the task is cancelled. Call ``release()`` afterwards.
    ///
    /// If the result is ``Acquisition/cancelled``, there is no permit to release.
    package func acquireUnlessCancelled() async -> Acquisition {
        let place = monitor.withLock { free, effects -> Place? in
            if Task.isCancelled { return nil }
            return Self.reserve(&free, &effects)
        }
        guard let place else { return .cancelled }
        guard let ticket = place.ticket else { return .immediate }
        return await monitor.waitUnlessCancelled(for: ticket) ? .afterWaiting : .cancelled
    }

    /// Waits for a permit, even if the task is cancelled. Call ``release()`` afterwards.
    package func acquire() async { await wait(for: reserve()) }

    /// Passes the permit to the first waiter, or frees it.
    package func release() { monitor.withLock { Self.release(&$0, &$1) } }

    // MARK: Places

    /// Takes the last place in the queue without waiting.
    ///
    /// Use it if the caller decides the order. Call ``leave(_:)`` once for the place.
    package func reserve() -> Place { monitor.withLock { Self.reserve(&$0, &$1) } }

    /// Waits for the permit of a reserved place. Call it at most once per place.
    package func wait(for place: Place) async {
        if let ticket = place.ticket { await monitor.wait(for: ticket) }
    }

    /// Gives up the place, with or without its permit.
    package func leave(_ place: Place) {
        monitor.withLock { free, effects in
            // Before its turn the place has no permit to pass on.
            if let ticket = place.ticket, effects.withdraw(ticket) { return }
            Self.release(&free, &effects)
        }
    }

    private static func reserve(_ free: inout Int, _ effects: inout Effects) -> Place {
        if free == 0 { return Place(ticket: effects.reserve()) }
        free -= 1
        return Place(ticket: nil)
    }

    private static func release(_ free: inout Int, _ effects: inout Effects) {
        if !effects.resumeFirst() { free += 1 }
    }
}
