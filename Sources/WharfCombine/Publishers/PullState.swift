#if canImport(Combine) || OpenCombine
#if canImport(Combine)
internal import Combine
#else
internal import OpenCombine
#endif

/// What a subscription does next: one task pulls while there is demand, and none is there while
/// there is not.
///
/// `Parts` is what a subscription needs while it lives. It is handed out when the end has come, to
/// be let go outside the lock: whatever ends by that may call back.
struct PullState<Parts: Sendable> {
    private enum Phase {
        case resting
        case pulling(Task<Void, Never>)
        case ended
    }

    private var phase = Phase.resting
    private var demand = Subscribers.Demand.none
    private var parts: Parts?

    init(_ parts: Parts) { self.parts = parts }

    /// - Parameter start: begins to pull; called where nobody does.
    mutating func request(_ more: Subscribers.Demand, start: () -> Task<Void, Never>) {
        guard parts != nil else { return }
        demand += more
        if case .resting = phase, demand > .none { phase = .pulling(start()) }
    }

    /// For who pulls.
    ///
    /// - Returns: what to pull with; nil when it has to stop.
    mutating func next() -> Parts? {
        guard let parts else { return nil }
        if demand > .none { return parts }
        phase = .resting
        return nil
    }

    /// Uses up the demand for one value.
    ///
    /// - Returns: whether the value may be handed on.
    mutating func takeDemand() -> Bool {
        guard parts != nil, demand > .none else { return false }
        demand -= 1
        return true
    }

    /// - Parameter more: what the subscriber asked for by taking a value.
    mutating func add(_ more: Subscribers.Demand) { demand += more }

    /// The end, of whichever kind comes first.
    ///
    /// - Returns: what is to be let go of, and who pulls; nil when it has ended before.
    mutating func end() -> (parts: Parts, puller: Task<Void, Never>?)? {
        guard let parts else { return nil }
        defer { (self.parts, phase) = (nil, .ended) }
        if case .pulling(let task) = phase { return (parts, task) }
        return (parts, nil)
    }
}
#endif
