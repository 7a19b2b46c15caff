internal import Synchronization

/// A state under a lock, and the tasks that wait for its changes.
///
/// ```swift
/// let monitor = Monitor(0)                                      // a counting semaphore
/// monitor.withLock { permits, effects in
///     if !effects.resumeFirst() { permits += 1 }
/// }
/// ```
///
/// Use it to build a primitive. Users of the primitive should not see the monitor. On a hot path,
/// make the state a concrete type of this module. The compiler specialises a monitor only here,
/// because it does not serialise the bodies of `package` methods.
///
/// Invariant: the lock is never held while foreign code runs. A change can only *register* effects:
/// to resume a waiter, cancel a task, yield to or finish an `AsyncStream`, or call back. The
/// monitor performs them after it has released the lock. Otherwise two threads deadlock:
///
/// - `cancel()` holds the lock of its task while it calls a cancellation handler. The handler waits
///   for this lock.
/// - `resume()`, `yield(_:)` or `finish()` under this lock waits for the lock of the task.
///
/// Guarantees:
///
/// - Resumption: each ticket is decided once, under the lock: resumed or cancelled. A waiter that
///   is resumed before it waits does not suspend.
/// - Order: waiters of one queue are resumed in the order of their reservation. The effects of
///   *two* changes on two threads may be performed in either order. A waiter must therefore read
///   the state again. Elements that must not overtake each other go through a ``StreamFanOut``.
/// - Complexity: O(1) for each waiter that is added, resumed or cancelled.
package struct Monitor<State: Sendable>: ~Copyable, Sendable {
    // This type is not private, because `withLock` is inlined into other files. In a debug build
    // the compiler (6.3.1) would emit a private type's metadata wrongly there, and end with a
    // broken module.
    struct Guarded: Sendable {
        // Invariants while the lock is free: no effect is pending, no condition holds for the
        // state, and each ticket in `conditions` is undecided.
        // The generic part comes last, so that unspecialised code knows the offsets of the others.
        var effects = Effects()
        /// Waiters that are resumed once their condition holds for the state.
        var conditions: [WaitTicket: @Sendable (State) -> Bool] = [:]
        var state: State

        init(_ state: State) { self.state = state }

        /// Ends a change: decides the conditions and returns the effects.
        ///
        /// - Returns: nil if there are no effects, as for most changes.
        mutating func settle() -> Effects.Pending? {
            // Conditions are decided before the unlock. Afterwards another change could undo the
            // state for which they hold.
            if !conditions.isEmpty { decideConditions() }
            return effects.pending.isEmpty ? nil : effects.pending.take()
        }

        private mutating func decideConditions() {
            // A dictionary has no order, so the tickets are sorted: waiters for equal conditions
            // resume in FIFO order.
            let met = conditions.filter { $0.value(state) }.keys.sorted { $0.precedes($1) }
            for ticket in met {
                // A decided ticket must not stay: each later change would evaluate its condition.
                conditions[ticket] = nil
                effects.resume(ticket)
            }
        }
    }

    let guarded: Mutex<Guarded>

    package init(_ state: State) { guarded = Mutex(Guarded(state)) }

    // MARK: Changes

    /// Changes the state, and performs the registered effects after the unlock.
    ///
    /// - Parameter change: registers effects. It must not resume, yield, finish, cancel or call
    ///   back itself, and must not use this monitor. If it throws, the effects are performed too.
    @inline(__always) package func withLock<Result: Sendable, Failure: Error>(
        _ change: (inout State, inout Effects) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var pending: Effects.Pending?
        // Runs after the lock is released, with the registered effects.
        defer { pending?.perform() }
        return try guarded.withLock { guarded throws(Failure) -> Result in
            // The change may throw after it has registered effects. They belong to changes that
            // were made, so they are taken in any case.
            defer { pending = guarded.settle() }
            return try change(&guarded.state, &guarded.effects)
        }
    }

    /// Reads the state.
    @inline(__always) package func read<Result: Sendable>(_ body: (State) -> Result) -> Result {
        guarded.withLock { body($0.state) }
    }

    /// The number of undecided waiters, including those for a condition.
    package var waiting: Int { guarded.withLock { $0.effects.waiting } }

    // MARK: Waiting

    /// Waits until the ticket is resumed. Cancellation of the task has no effect.
    package func wait(for ticket: WaitTicket) async {
        // The result is never false: without a handler, a cancellation decides no ticket.
        _ = await suspend(ticket)
    }

    /// Waits until the ticket is resumed, or the task is cancelled.
    ///
    /// - Parameter onCancel: a change that is made in one step with the cancellation. It is not
    ///   called if the ticket was already resumed.
    /// - Returns: false if the task was cancelled before the ticket was resumed.
    package func waitUnlessCancelled(
        for ticket: WaitTicket, onCancel: @Sendable (inout State, inout Effects) -> Void = { _, _ in }
    ) async -> Bool {
        // The handler runs at once if the task is already cancelled. It then decides the ticket
        // before `suspend` stores a continuation, and `suspend` returns that decision.
        await withTaskCancellationHandler {
            await suspend(ticket)
        } onCancel: {
            cancel(ticket, onCancel)
        }
    }

    /// Waits until the state meets a condition. Cancellation of the task has no effect.
    ///
    /// The condition held at one moment, under the lock. Another change may follow before the
    /// caller continues.
    ///
    /// - Parameter condition: a pure function. It is called under the lock after each change.
    /// - Complexity: each change calls the conditions of all waiters.
    package func wait(until condition: @escaping @Sendable (State) -> Bool) async {
        guard let ticket = reserve(until: condition) else { return }
        await wait(for: ticket)
    }

    /// Waits until the state meets a condition, unless the task is cancelled.
    ///
    /// - Returns: false if the task was cancelled before the condition held.
    package func waitUnlessCancelled(until condition: @escaping @Sendable (State) -> Bool) async -> Bool {
        guard let ticket = reserve(until: condition) else { return true }
        return await waitUnlessCancelled(for: ticket)
    }

    private func reserve(until condition: @escaping @Sendable (State) -> Bool) -> WaitTicket? {
        guarded.withLock { guarded in
            // The test and the registration are one step. Otherwise a change between them would not
            // find the waiter, and might be the last one.
            if condition(guarded.state) { return nil }
            let ticket = guarded.effects.reserveUnqueued()
            guarded.conditions[ticket] = condition
            return ticket
        }
    }

    /// Suspends the task. It is the only suspension of the package.
    private func suspend(_ ticket: WaitTicket) async -> Bool {
        await withUnsafeContinuation { continuation in
            // Look up the decision and store the continuation in one step, so that no decision is
            // missed.
            let known = guarded.withLock { $0.effects.waiters.suspend(ticket, continuation) }
            if let known { continuation.resume(returning: known) }
        }
    }

    // The runtime calls this on any thread, also while `suspend` runs, and at most once per wait.
    private func cancel(_ ticket: WaitTicket, _ change: (inout State, inout Effects) -> Void) {
        let (decision, pending) = guarded.withLock { guarded in
            let decision = guarded.effects.waiters.decide(ticket, isResumed: false)
            // The ticket was resumed first, so the waiter has its result.
            if case .tooLate = decision { return (decision, Effects.Pending?.none) }
            guarded.conditions[ticket] = nil
            change(&guarded.state, &guarded.effects)
            return (decision, guarded.settle())
        }
        // The callbacks of the change run before its own waiter continues, as after any other
        // change.
        pending?.perform()
        if case .resume(let continuation) = decision { continuation.resume(returning: false) }
    }
}
