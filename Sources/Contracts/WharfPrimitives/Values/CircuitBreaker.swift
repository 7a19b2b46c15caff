/// A circuit breaker: it refuses calls for a while after one of them failed.
///
/// This is only the state machine. It has no clock; its caller gives the time of the next probe.
///
/// - **closed**: calls go through. The first failure opens the breaker.
/// - **open**: calls are refused until a time that the backoff gives. Then ``probe(isDue:)`` makes
///   the breaker half-open.
/// - **half-open**: calls go through as probes. A success closes the breaker. A failure opens it
///   again, and the backoff continues from the earlier failures.
///
/// A success in any state closes the breaker: a call that was allowed before it opened has reached
/// the receiver.
package struct CircuitBreaker<Instant: Sendable>: Sendable {
    package enum State: Sendable {
        case closed
        case open(until: Instant)
        case halfOpen
    }

    package private(set) var state = State.closed
    /// The generation. A failure of a call from an earlier generation does not open it.
    ///
    /// Otherwise slow failures of calls from before a reset would open it again.
    package private(set) var generation = 0
    /// The number of failures that opened it since the last success. Invariant: 0 exactly while
    /// closed.
    private var failures = 0

    package init() {}

    /// The time of the next probe; nil unless it is open.
    package var openUntil: Instant? { if case .open(let instant) = state { instant } else { nil } }

    package var isOpen: Bool { openUntil != nil }

    package var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Opens the breaker after a failed call.
    ///
    /// It has no effect if the breaker is open or the call is of an earlier generation.
    ///
    /// - Parameters:
    ///   - generation: the generation in which the call began.
    ///   - nextProbe: returns the time of the next probe after a number of failures in a row; see
    ///     ``Backoff``.
    /// - Returns: whether this failure opened it.
    package mutating func recordFailure(in generation: Int, nextProbe: (_ failures: Int) -> Instant) -> Bool {
        // A failure while it is open must not delay the next probe.
        guard generation == self.generation, !isOpen else { return false }
        // Calls that began before this failure belong to the old generation. Ten calls in flight
        // that fail together count as one failure.
        self.generation += 1
        failures += 1
        state = .open(until: nextProbe(failures))
        return true
    }

    /// Closes the breaker after a successful call.
    ///
    /// - Returns: whether it was open before.
    package mutating func recordSuccess() -> Bool {
        defer {
            failures = 0
            state = .closed
        }
        return isOpen
    }

    /// Makes the breaker half-open if the next probe is due.
    ///
    /// - Returns: whether it became half-open.
    package mutating func probe(isDue: (Instant) -> Bool) -> Bool {
        // While half-open the breaker stays so: a second probe does not need a second due time.
        guard let openUntil, isDue(openUntil) else { return false }
        state = .halfOpen
        return true
    }

    /// Closes the breaker without a call, as when the network is back.
    ///
    /// It starts a new generation.
    package mutating func reset() {
        // Failures of calls from before the reset no longer count: the new network has not failed
        // yet.
        generation += 1
        failures = 0
        state = .closed
    }
}
