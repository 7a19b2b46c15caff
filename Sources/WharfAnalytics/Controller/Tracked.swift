/// The result of tracking an event.
public enum Tracked: Hashable, Sendable {
    /// It is in the outbox, under this id (``TrackedEvent/id``).
    case kept(id: String)
    /// Stages left it out, at every sink.
    case leftOut
    /// Nobody has consented to its category. Nothing of it was kept.
    case withoutConsent
}
