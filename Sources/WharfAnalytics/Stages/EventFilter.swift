/// Leaves events out. They are counted in ``AnalyticsCounts/leftOut``.
public struct EventFilter: EventStage {
    private let isWanted: @Sendable (TrackedEvent) -> Bool

    public init(_ isWanted: @escaping @Sendable (TrackedEvent) -> Bool) { self.isWanted = isWanted }

    public func process(_ event: TrackedEvent) -> TrackedEvent? { isWanted(event) ? event : nil }
}

extension EventStage where Self == EventFilter {
    /// Those for which it is true go on.
    public static func filtering(_ isWanted: @escaping @Sendable (TrackedEvent) -> Bool) -> Self { Self(isWanted) }
}
