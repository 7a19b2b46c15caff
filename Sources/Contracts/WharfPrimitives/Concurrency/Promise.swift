/// A value that is set once, for any number of waiters.
///
/// Use it if one task waits for a value that another task produces. The first fulfilment wins.
package final class Promise<Value: Sendable>: Sendable {
    // Invariant: the state changes once, from nil to the value. A read outside of the lock that
    // finds a value is therefore final.
    private let monitor: Monitor<Value?>

    package init() { monitor = Monitor(nil) }

    package init(fulfilled value: Value) { monitor = Monitor(value) }

    /// The value, if the promise is fulfilled.
    package var value: Value? { monitor.read { $0 } }

    /// The number of tasks that wait for the value.
    package var waiting: Int { monitor.waiting }

    /// Sets the value.
    ///
    /// - Returns: false if the promise was already fulfilled. The value is then not used.
    @discardableResult
    package func fulfil(_ value: Value) -> Bool {
        monitor.withLock { known, effects in
            // Waiters of the first value may have continued with it, so a second value would split
            // them.
            guard known == nil else { return false }
            known = value
            effects.resumeAll()
            return true
        }
    }

    /// Waits for the value, even if the task is cancelled.
    package func wait() async -> Value {
        switch look() {
        case .known(let value): return value
        case .waits(let ticket):
            await monitor.wait(for: ticket)
            // `fulfil(_:)` stores the value in the step that resumes the waiters.
            guard let value else { preconditionFailure("a promise woke a waiter without a value") }
            return value
        }
    }

    /// Waits for the value; nil if the task is cancelled before there is one.
    package func waitUnlessCancelled() async -> Value? {
        switch look() {
        case .known(let value): return value
        case .waits(let ticket): return await monitor.waitUnlessCancelled(for: ticket) ? value : nil
        }
    }

    private enum ReadResult: Sendable {
        case known(Value)
        case waits(WaitTicket)
    }

    private func look() -> ReadResult {
        monitor.withLock { known, effects in
            // The look and the reservation are one step. A fulfilment between them would resume the
            // others, and this task would wait forever.
            if let known { return .known(known) }
            return .waits(effects.reserve())
        }
    }
}

extension Promise<Void> {
    @discardableResult
    package func fulfil() -> Bool { fulfil(()) }
}
