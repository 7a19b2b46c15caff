/// A FIFO semaphore: at most so many tasks hold a permit at one time.
///
/// A permit that is released passes to the first waiter and is not free in between, so a task that
/// comes later can't overtake.
package final class AsyncSemaphore: Sendable {
    /// How a task came by its permit.
    package enum Acquisition: Sendable {
        /// A permit was free.
        case immediate
        /// The task waited, and another one has released the permit to it.
        case afterWaiting
        /// The task was cancelled before. It holds no permit.
        case cancelled
    }

    /// A place in the queue: a permit, or the right to one of the next.
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

    /// Tasks that wait for a permit, and places that were reserved and have none yet.
    package var waiting: Int { monitor.waiting }

    /// Waits for a permit, unless the task is cancelled. To be followed by ``release()``.
    package func acquireUnlessCancelled() async -> Acquisition {
        let place = monitor.withLock { free, effects -> Place? in
            if Task.isCancelled { return nil }
            return Self.reserve(&free, &effects)
        }
        guard let place else { return .cancelled }
        guard let ticket = place.ticket else { return .immediate }
        return await monitor.waitUnlessCancelled(for: ticket) ? .afterWaiting : .cancelled
    }

    /// Waits for a permit, also if the task is cancelled. To be followed by ``release()``.
    package func acquire() async { await wait(for: reserve()) }

    /// Hands the permit to the first waiter.
    package func release() { monitor.withLock { Self.release(&$0, &$1) } }

    // MARK: Places

    /// Takes the last place in the queue without waiting, where the order is decided by the caller.
    ///
    /// To be followed by one ``leave(_:)``.
    package func reserve() -> Place { monitor.withLock { Self.reserve(&$0, &$1) } }

    /// Waits for the permit of a reserved place. Once for each place.
    package func wait(for place: Place) async {
        if let ticket = place.ticket { await monitor.wait(for: ticket) }
    }

    /// Gives up the place, with or without its permit.
    package func leave(_ place: Place) {
        monitor.withLock { free, effects in
            // Before its turn it has no permit to hand on.
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
