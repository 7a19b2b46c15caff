/// A signal for one waiting task. A signal sent before the wait is not lost.
///
/// Signals that are sent while no task waits are coalesced into one.
package final class AutoResetEvent: Sendable {
    /// The state says whether a signal was sent that no task has received.
    private let monitor = Monitor(false)

    package init() {}

    /// Wakes the first waiter, or the next task that waits.
    package func signal() {
        monitor.withLock { isSet, effects in
            // A waiter that was cancelled first is no longer in the queue, so the signal stays for
            // the next wait.
            if !effects.resumeFirst() { isSet = true }
        }
    }

    /// Waits for a signal, unless the task is cancelled.
    ///
    /// - Returns: false if the task was cancelled before it received a signal.
    @discardableResult
    package func wait() async -> Bool {
        let ticket = monitor.withLock { isSet, effects -> WaitTicket? in
            // The test and the reservation are one step. A signal between them would find no
            // waiter, and this task would sleep through it.
            guard !isSet else {
                isSet = false
                return nil
            }
            return effects.reserve()
        }
        guard let ticket else { return true }
        return await monitor.waitUnlessCancelled(for: ticket)
    }

    /// Whether a task waits that was not signalled yet.
    package var isAwaited: Bool { monitor.waiting > 0 }
}
