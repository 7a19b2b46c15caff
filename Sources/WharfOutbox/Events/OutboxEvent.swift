public import WharfCore

/// Something that an outbox did, or saw.
public enum OutboxEvent: Hashable, Sendable {
    /// A delivery, and enough to count it by.
    public struct Subject: Hashable, Sendable {
        public var id: DeliveryID
        /// By ``WharfCore/OutboxEntry/Kind/name``.
        public var kind: String
        public var lane: String

        public init(_ id: DeliveryID, kind: String, lane: String) {
            self.id = id
            self.kind = kind
            self.lane = lane
        }
    }

    case enqueued(OutboxEntry.ID, kind: String, lane: String)
    /// A destination is asked.
    case attempted(Subject)
    /// A destination has answered, or an attempt ended without an answer.
    ///
    /// The event of its consequence comes once that is committed.
    ///
    /// - Parameter after: how long the request took. Those of a batch took the same time.
    case answered(Subject, after: Duration)
    /// - Parameter attempts: those that counted, this one included.
    case delivered(Subject, attempts: Int)
    case retrying(Subject, at: WallTime, DeliveryFailure)
    /// Nobody delivers the kind to that destination yet: it waits.
    case parked(OutboxCounts.Route)
    /// Nothing is sent to a destination for a while: it was not reached, does not take the
    /// credential, can't serve requests, or wants fewer.
    ///
    /// Probes go on by themselves. ``OutboxEngine/credentialChanged()`` tells that there is another
    /// credential.
    case held(destination: String, DeliveryFailure)
    /// The app has another credential: ``OutboxEngine/credentialChanged()``.
    case credentialChanged
    /// Nothing more is sent to a destination until it is resumed:
    /// ``OutboxEngine/pause(_:because:)``.
    case paused(destination: String)
    /// A destination is no longer paused: ``OutboxEngine/resume(_:)``.
    case resumed(destination: String)
    case dead(Subject, DeliveryFailure)
    /// A dead letter, for a person to settle.
    case conflict(Subject, DeliveryFailure)
    /// Its class gave it up to make room.
    case dropped(DroppedDelivery)
    /// Its class gave it up because it came too late.
    case expired(DroppedDelivery)
    /// The reader was slow: so many events before the next are lost.
    case missed(Int)
}

extension OutboxEvent {
    static func dropping(_ dropped: DroppedDelivery) -> OutboxEvent {
        dropped.reason == .expired ? .expired(dropped) : .dropped(dropped)
    }

    /// What follows from an answer; nil where nobody was asked.
    static func settling(_ consequence: Consequence, _ attempt: Attempt) -> OutboxEvent? {
        let subject = attempt.pending.subject
        return switch consequence {
        case .delivered: .delivered(subject, attempts: attempt.attempts)
        case .retry(let time, let failure), .merged(_, let time, let failure): .retrying(subject, at: time, failure)
        case .held(let failure), .abandoned(let failure):
            .retrying(subject, at: attempt.due(after: consequence), failure)
        case .filledIn: nil
        case .conflict(let failure, _): .conflict(subject, failure)
        case .dead(let failure): .dead(subject, failure)
        }
    }
}

extension PendingDelivery {
    var subject: OutboxEvent.Subject { .init(id, kind: entry.kind.name, lane: entry.lane) }
}
