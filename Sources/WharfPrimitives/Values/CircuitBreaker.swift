/// A circuit breaker: it refuses calls for a while after one of them failed.
///
/// The state machine alone: it has no clock, and its caller gives the time until the next probe.
///
/// - **closed**: calls go through. The first failure opens it.
/// - **open**: calls are refused until a moment that the backoff gives. Then ``probe(isDue:)``
///   makes it half-open.
/// - **half-open**: calls go through as probes. A success closes it, a failure opens it again, and
///   the backoff counts on from the failures before.
///
/// A success in any state closes it: a call that was allowed before it opened has reached the
/// receiver.
package struct CircuitBreaker<Instant: Sendable>: Sendable {
    package enum State: Sendable {
        case closed
        case open(until: Instant)
        case halfOpen
    }

    package private(set) var state = State.closed
    /// A call that began in an earlier generation and fails later opens nothing.
    ///
    /// Otherwise the slow failures of calls from before a reset would open it again.
    package private(set) var generation = 0
    /// Failures that opened it since the last success. Invariant: 0 exactly while it is closed.
    private var failures = 0

    package init() {}

    /// When the next probe is due; nil unless it is open.
    package var openUntil: Instant? { if case .open(let instant) = state { instant } else { nil } }

    package var isOpen: Bool { openUntil != nil }

    package var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Opens it after a failed call, unless it is open or the call is of an earlier generation.
    ///
    /// - Parameters:
    ///   - generation: the one in which the call began.
    ///   - nextProbe: gives the moment of the next probe after so many failures in a row; see
    ///     ``Backoff``.
    /// - Returns: whether it was opened now.
    package mutating func recordFailure(in generation: Int, nextProbe: (_ failures: Int) -> Instant) -> Bool {
        // A failure while it is open must not put off the probe that is due.
        guard generation == self.generation, !isOpen else { return false }
        self.generation += 1
        failures += 1
        state = .open(until: nextProbe(failures))
        return true
    }

    /// Closes it after a call that succeeded.
    ///
    /// - Returns: whether it was open until now.
    package mutating func recordSuccess() -> Bool {
        defer {
            failures = 0
            state = .closed
        }
        return isOpen
    }

    /// Makes it half-open if the moment of the next probe has come.
    ///
    /// - Returns: whether it was open until now.
    package mutating func probe(isDue: (Instant) -> Bool) -> Bool {
        guard let openUntil, isDue(openUntil) else { return false }
        state = .halfOpen
        return true
    }

    /// Closes it without a call, as when the network is back, and begins a generation.
    package mutating func reset() {
        generation += 1
        failures = 0
        state = .closed
    }
}
