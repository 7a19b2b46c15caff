internal import Synchronization

/// A state under a lock, together with the tasks that wait for its changes.
///
/// ```swift
/// let monitor = Monitor(0)                                      // a counting semaphore
/// monitor.withLock { permits, effects in
///     if !effects.resumeFirst() { permits += 1 }
/// }
/// ```
///
/// Use it to build a primitive. Its users should see the primitive and not the monitor. On a hot
/// path the state is a concrete type of this module: the compiler specialises a monitor here and
/// nowhere else, as it does not serialise the bodies of `package` methods.
///
/// Invariant: the lock is never held while foreign code runs. A change can only *register* that a
/// waiter is resumed, a task is cancelled, an `AsyncStream` is yielded to or finished, or a
/// callback is called. The monitor does it after the lock is released. Without that, two threads
/// deadlock: `cancel()` holds the lock of its task while it calls a cancellation handler, which
/// waits for this lock; `resume()`, `yield(_:)` and `finish()` under this lock wait for the task's.
///
/// - Resumption: each ticket is decided once, under the lock: resumed, or cancelled. A waiter that
///   is resumed before it waits does not suspend.
/// - Order: waiters of one queue are resumed in the order of their reservation. Effects of *two*
///   changes on two threads may be performed in either order. So a waiter reads the state again,
///   and elements that must not overtake each other go through a ``StreamFanOut``.
/// - Complexity: O(1) for each waiter that comes, is resumed, or is cancelled.
package struct Monitor<State: Sendable>: ~Copyable, Sendable {
    // Not private: `withLock` is inlined into other files. In a debug build the compiler (6.3.1)
    // would emit a private type's metadata wrongly there, and end with a broken module.
    struct Guarded: Sendable {
        // The generic part comes last, so that unspecialised code knows where the others are.
        var effects = Effects()
        /// Waiters that are resumed once their condition holds for the state.
        var conditions: [WaitTicket: @Sendable (State) -> Bool] = [:]
        var state: State

        init(_ state: State) { self.state = state }

        /// Ends a change: decides the conditions, and hands out the effects.
        ///
        /// - Returns: nil if there are none, as for most changes.
        mutating func settle() -> Effects.Pending? {
            if !conditions.isEmpty { decideConditions() }
            return effects.pending.isEmpty ? nil : effects.pending.take()
        }

        private mutating func decideConditions() {
            let met = conditions.filter { $0.value(state) }.keys.sorted { $0.precedes($1) }
            for ticket in met {
                conditions[ticket] = nil
                effects.resume(ticket)
            }
        }
    }

    let guarded: Mutex<Guarded>

    package init(_ state: State) { guarded = Mutex(Guarded(state)) }

    // MARK: Changes

    /// Changes the state, and performs the registered effects after the lock is released.
    ///
    /// - Parameter change: registers effects; it must not resume, yield, finish, cancel or call
    ///   back by itself, and must not use this monitor. If it throws, the effects are performed.
    @inline(__always) package func withLock<Result: Sendable, Failure: Error>(
        _ change: (inout State, inout Effects) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var pending: Effects.Pending?
        // Runs after the lock is released, with what the change has registered.
        defer { pending?.perform() }
        return try guarded.withLock { guarded throws(Failure) -> Result in
            defer { pending = guarded.settle() }
            return try change(&guarded.state, &guarded.effects)
        }
    }

    /// Reads the state.
    @inline(__always) package func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
        guarded.withLock { body($0.state) }
    }

    /// Undecided waiters, those for a condition included.
    package var waiting: Int { guarded.withLock { $0.effects.waiting } }

    // MARK: Waiting

    /// Waits until the ticket is resumed. The task's cancellation has no effect on it.
    package func wait(for ticket: WaitTicket) async {
        // Never false: without a handler, a cancellation decides no ticket.
        _ = await suspend(ticket)
    }

    /// Waits until the ticket is resumed, or the task is cancelled.
    ///
    /// - Parameter onCancel: a change that belongs to the cancellation, in the same step with it.
    ///   Not called if the ticket was resumed before.
    /// - Returns: false if the task was cancelled before the ticket was resumed.
    package func waitUnlessCancelled(
        for ticket: WaitTicket, onCancel: @Sendable (inout State, inout Effects) -> Void = { _, _ in }
    ) async -> Bool {
        await withTaskCancellationHandler {
            await suspend(ticket)
        } onCancel: {
            cancel(ticket, onCancel)
        }
    }

    /// Waits until a condition holds for the state. The task's cancellation has no effect on it.
    ///
    /// The condition held in one moment, under the lock. Another change may come before the caller
    /// goes on.
    ///
    /// - Parameter condition: pure. It is called under the lock after each change.
    /// - Complexity: each change calls the conditions of all waiters.
    package func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        guard let ticket = reserve(until: condition) else { return }
        await wait(for: ticket)
    }

    /// The same, unless the task is cancelled.
    ///
    /// - Returns: false if the task was cancelled before the condition held.
    package func waitUnlessCancelled(until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        guard let ticket = reserve(until: condition) else { return true }
        return await waitUnlessCancelled(for: ticket)
    }

    private func reserve(until condition: @escaping @Sendable (State) -> Bool) -> WaitTicket? {
        guarded.withLock { guarded in
            if condition(guarded.state) { return nil }
            let ticket = guarded.effects.reserveUnqueued()
            guarded.conditions[ticket] = condition
            return ticket
        }
    }

    /// The one suspension of the package.
    private func suspend(_ ticket: WaitTicket) async -> Bool {
        await withUnsafeContinuation { continuation in
            // Looked up in the same step in which it is kept, so a decision can't come between.
            let known = guarded.withLock { $0.effects.waiters.suspend(ticket, continuation) }
            if let known { continuation.resume(returning: known) }
        }
    }

    private func cancel(_ ticket: WaitTicket, _ change: (inout State, inout Effects) -> Void) {
        let (decision, pending) = guarded.withLock { guarded in
            let decision = guarded.effects.waiters.decide(ticket, isResumed: false)
            // A resumption came first: then the waiter has what it waited for.
            if case .tooLate = decision { return (decision, Effects.Pending?.none) }
            guarded.conditions[ticket] = nil
            change(&guarded.state, &guarded.effects)
            return (decision, guarded.settle())
        }
        pending?.perform()
        if case .resume(let continuation) = decision { continuation.resume(returning: false) }
    }
}
