/// Looks at each event before it is kept: adds to it, takes from it, or leaves it out.
///
/// ```swift
/// struct Screenshots: EventStage {
///     func process(_ event: TrackedEvent) -> TrackedEvent? { event.properties["screenshot"] == nil ? event : nil }
/// }
/// ```
///
/// Given to ``Analytics`` it is for all sinks, given to an ``AnalyticsDestination`` for that one, after those for all. What a
/// stage takes away is not in the outbox either. It is called once for an event, when that is tracked, so what is sent is the
/// same on every attempt.
public protocol EventStage: Sendable {
    /// - Returns: nil to leave it out.
    func process(_ event: TrackedEvent) -> TrackedEvent?
}

extension [any EventStage] {
    /// One after the other.
    func process(_ event: TrackedEvent) -> TrackedEvent? {
        var event = event
        for stage in self {
            guard let next = stage.process(event) else { return nil }
            event = next
        }
        return event
    }
}
