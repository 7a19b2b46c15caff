/// A step that each event passes before it is kept.
///
/// It adds to the event, changes it, or drops it.
///
/// ```swift
/// struct Screenshots: EventStage {
///     func process(_ event: TrackedEvent) -> TrackedEvent? { event.properties["screenshot"] == nil ? event : nil }
/// }
/// ```
///
/// A stage given to ``Analytics`` is for all sinks. A stage given to an ``AnalyticsDestination`` is
/// for that sink, after those for all. Data that a stage removes is not in the outbox either.
/// ``Analytics`` calls it once for an event, when the event is tracked, so each attempt sends the
/// same.
///
/// To conform, hold these laws (`EventStageLaws` in `WharfAnalyticsLaws` checks them):
///
/// - The same event gives the same result each time, even among others and on several threads.
/// - An event keeps its id, kind, time and category. A receiver deduplicates by the id.
/// - Fields that the stage does not own stay unchanged.
public protocol EventStage: Sendable {
    /// Processes an event.
    ///
    /// - Returns: the event to keep; nil to drop it.
    func process(_ event: TrackedEvent) -> TrackedEvent?
}

extension [any EventStage] {
    /// Applies the stages one after the other.
    func process(_ event: TrackedEvent) -> TrackedEvent? {
        var event = event
        for stage in self {
            guard let next = stage.process(event) else { return nil }
            event = next
        }
        return event
    }
}
