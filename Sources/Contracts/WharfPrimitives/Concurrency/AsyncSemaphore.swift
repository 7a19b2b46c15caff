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
    package struct Reservation: Sendable {
        /// Nil for a permit that was free.
        fileprivate let ticket: WaitTicket?
    }

    /// The state is the number of free permits. Invariant: zero while a task waits.
    private let monitor: Monitor<Int>

    package init(permits: Int) {
        precondition(permits > 0, "a semaphore of \(permits) permits lets no task through; give it at least 1")
        monitor = Monitor(permits)
    }

    /// The number of tasks and reserved places that wait for a permit.
    package var waiting: Int { monitor.waiting }

    /// Waits for a permit, unless the task is cancelled. Call ``release()`` afterwards.
    ///
    /// If the result is ``Acquisition/cancelled``, there is no permit to release.
    package func acquireUnlessCancelled() async -> Acquisition {
        let reservation = monitor.withLock { free, effects -> Reservation? in
            // A cancelled task must not take a free permit: its caller expects no permit and would
            // never release it.
            if Task.isCancelled { return nil }
            return Self.reserve(&free, &effects)
        }
        guard let reservation else { return .cancelled }
        guard let ticket = reservation.ticket else { return .immediate }
        // If a release and the cancellation race, the monitor decides once. A task that got the
        // permit first holds it although it is cancelled, and must release it.
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
    package func reserve() -> Reservation { monitor.withLock { Self.reserve(&$0, &$1) } }

    /// Waits for the permit of a reserved place. Call it at most once per place.
    package func wait(for reservation: Reservation) async {
        if let ticket = reservation.ticket { await monitor.wait(for: ticket) }
    }

    /// Gives up the place, with or without its permit.
    package func leave(_ reservation: Reservation) {
        monitor.withLock { free, effects in
            // Before its turn the place has no permit to pass on.
            if let ticket = reservation.ticket, effects.withdraw(ticket) { return }
            Self.release(&free, &effects)
        }
    }

    private static func reserve(_ free: inout Int, _ effects: inout Effects) -> Reservation {
        // A reserved place counts as a waiter from now on, although no task suspends for it yet.
        if free == 0 { return Reservation(ticket: effects.reserve()) }
        free -= 1
        return Reservation(ticket: nil)
    }

    private static func release(_ free: inout Int, _ effects: inout Effects) {
        // If the permit became free while a task waits, a third task could take it before the
        // waiter runs.
        if !effects.resumeFirst() { free += 1 }
    }
}
