/// A stage that drops events. They are counted in ``AnalyticsCounts/leftOut``.
public struct EventFilter: EventStage {
    private let isWanted: @Sendable (TrackedEvent) -> Bool

    /// Creates a filter that keeps the events for which the closure is true.
    public init(_ isWanted: @escaping @Sendable (TrackedEvent) -> Bool) { self.isWanted = isWanted }

    public func process(_ event: TrackedEvent) -> TrackedEvent? { isWanted(event) ? event : nil }
}

extension EventStage where Self == EventFilter {
    /// Keeps the events for which the closure is true.
    public static func filtering(_ isWanted: @escaping @Sendable (TrackedEvent) -> Bool) -> Self { Self(isWanted) }
}
