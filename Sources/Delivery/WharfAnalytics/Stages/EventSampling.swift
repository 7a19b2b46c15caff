internal import WharfCore

/// A stage that keeps a share of the events: all of a session, or none.
///
/// The choice depends only on the group's text, so every process and every sink choose the same.
/// Events that describe a user or a group are always kept (``TrackedEvent/Kind/isIdentity``).
public struct EventSampling: EventStage {
    private let share: Double
    private let group: @Sendable (TrackedEvent) -> String

    /// Creates a sampling stage.
    ///
    /// - Parameters:
    ///   - share: 0 for none to 1 for all.
    ///   - group: events with the same text stay together.
    public init(
        _ share: Double, by group: @escaping @Sendable (TrackedEvent) -> String = { $0.session ?? $0.id }
    ) {
        self.share = share
        self.group = group
    }

    public func process(_ event: TrackedEvent) -> TrackedEvent? {
        // A lost identity call would leave the events of a whole user without the user.
        if share >= 1 || event.kind.isIdentity { return event }
        // A hash decides, and not chance: all events of a group share the decision, in each process
        // and at each attempt.
        return Double(XXH64.hash(Array(group(event).utf8))) < share * 0x1p64 ? event : nil
    }
}

extension EventStage where Self == EventSampling {
    /// Keeps a share of the events.
    ///
    /// - Parameters:
    ///   - share: 0 for none to 1 for all.
    ///   - group: events with the same text stay together; by default those of a session.
    public static func sampling(
        _ share: Double, by group: @escaping @Sendable (TrackedEvent) -> String = { $0.session ?? $0.id }
    ) -> Self {
        Self(share, by: group)
    }
}
