#if canImport(Combine) || OpenCombine
#if canImport(Combine)
internal import Combine
#else
internal import OpenCombine
#endif

/// The state machine of a subscription.
///
/// One task pulls while there is demand, and none otherwise.
///
/// `Parts` are the objects that the subscription needs while it lives. At the end they are
/// returned, so that the caller releases them outside of the lock: a deinitialiser may call back.
struct PullState<Parts: Sendable> {
    private enum Phase {
        case resting
        case pulling(Task<Void, Never>)
        case ended
    }

    // Invariants: `parts` is nil exactly in `ended`. A task pulls only in `pulling`. `demand` is
    // the number of values that were requested and not delivered.
    private var phase = Phase.resting
    private var demand = Subscribers.Demand.none
    private var parts: Parts?

    init(_ parts: Parts) { self.parts = parts }

    /// - Parameter start: starts the pulling task. Called only if none runs.
    mutating func request(_ more: Subscribers.Demand, start: () -> Task<Void, Never>) {
        // A request after the end is allowed by Combine and ignored.
        guard parts != nil else { return }
        demand += more
        // One task at a time: a second one would call the subscriber concurrently.
        if case .resting = phase, demand > .none { phase = .pulling(start()) }
    }

    /// Returns the parts for the next pull; nil if the pulling task has to stop.
    mutating func next() -> Parts? {
        guard let parts else { return nil }
        // Under one lock with the change of phase: a request that comes later finds `resting` and
        // starts a task.
        if demand > .none { return parts }
        phase = .resting
        return nil
    }

    /// Uses up the demand for one value.
    ///
    /// - Returns: whether the value may be delivered.
    mutating func takeDemand() -> Bool {
        // A cancellation during the pull ends the demand, and the value is dropped.
        guard parts != nil, demand > .none else { return false }
        demand -= 1
        return true
    }

    /// - Parameter more: the demand that the subscriber returned for a value.
    mutating func add(_ more: Subscribers.Demand) { demand += more }

    /// Ends the subscription. Only the first end counts.
    ///
    /// - Returns: the parts to release, and the pulling task; nil if it has ended before.
    mutating func end() -> (parts: Parts, puller: Task<Void, Never>?)? {
        guard let parts else { return nil }
        defer { (self.parts, phase) = (nil, .ended) }
        if case .pulling(let task) = phase { return (parts, task) }
        return (parts, nil)
    }
}
#endif
