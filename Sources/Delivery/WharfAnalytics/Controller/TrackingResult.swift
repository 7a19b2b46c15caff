/// The result of tracking an event.
public enum TrackingResult: Hashable, Sendable {
    /// The event is in the outbox, under this id (``TrackedEvent/id``).
    case kept(id: String)
    /// Stages dropped the event for every sink.
    case leftOut
    /// There is no consent to the event's category. Nothing of it was kept.
    case withoutConsent
}
