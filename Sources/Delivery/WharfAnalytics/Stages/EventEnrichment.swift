public import WharfJSON

/// A stage that changes events, or adds fields to them.
public struct EventEnrichment: EventStage {
    private let change: @Sendable (inout TrackedEvent) -> Void

    /// Creates a stage that changes each event.
    public init(_ change: @escaping @Sendable (inout TrackedEvent) -> Void) { self.change = change }

    public func process(_ event: TrackedEvent) -> TrackedEvent? {
        var event = event
        change(&event)
        return event
    }
}

extension EventStage where Self == EventEnrichment {
    /// Changes each event.
    public static func enriching(_ change: @escaping @Sendable (inout TrackedEvent) -> Void) -> Self { Self(change) }

    /// Adds the same fields to the context of each event, such as the app's version.
    ///
    /// A field that an event already has stays.
    public static func context(_ fields: [String: JSONValue]) -> Self {
        Self { event in event.context.merge(fields) { old, _ in old } }
    }

    /// Sets the user of each event.
    ///
    /// Use it in an app that does not call ``Analytics/identify(_:traits:once:category:)``.
    ///
    /// - Parameter user: called for each event; returns nil for the user of the identity.
    public static func user(_ user: @escaping @Sendable () -> String?) -> Self {
        Self { event in if let user = user() { event.user = user } }
    }
}
