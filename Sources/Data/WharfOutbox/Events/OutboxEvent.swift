public import WharfCore
public import WharfStorage

/// An action or an observation of an outbox engine.
public enum OutboxEvent: Hashable, Sendable {
    /// A delivery, with the fields by which metrics count it.
    public struct Subject: Hashable, Sendable {
        /// The delivery's id.
        public var id: DeliveryID
        /// The ``WharfCore/OutboxEntry/Kind/name`` of the entry's kind.
        public var kind: String
        /// The entry's lane.
        public var lane: String

        /// Creates a subject.
        public init(_ id: DeliveryID, kind: String, lane: String) {
            self.id = id
            self.kind = kind
            self.lane = lane
        }
    }

    /// An entry was committed to the outbox.
    case enqueued(OutboxEntry.ID, kind: String, lane: String)
    /// The engine calls a destination.
    case attempted(Subject)
    /// A destination has answered, or an attempt ended without an answer.
    ///
    /// The event of the consequence follows when the consequence is committed.
    ///
    /// - Parameter after: how long the request took. All entries of a batch have the same time.
    case answered(Subject, after: Duration)
    /// The receiver has taken the entry.
    ///
    /// - Parameter attempts: the number of counted attempts, this one included.
    case delivered(Subject, attempts: Int)
    /// The attempt failed or was held; the delivery is attempted again at this time.
    case retrying(Subject, at: WallTime, DeliveryFailure)
    /// No registered destination delivers the kind there yet, so the entry waits.
    case parked(OutboxCounts.Route)
    /// The engine sends nothing to a destination for a while.
    ///
    /// The destination was offline, refused the credential, failed, or asked for fewer requests.
    /// The engine keeps probing it. Call ``OutboxEngine/credentialChanged()`` when the app has
    /// another credential.
    case held(destination: String, DeliveryFailure)
    /// The app called ``OutboxEngine/credentialChanged()``.
    case credentialChanged
    /// ``OutboxEngine/pause(_:because:)`` paused a destination until it is resumed.
    case paused(destination: String)
    /// ``OutboxEngine/resume(_:)`` ended the pause of a destination.
    case resumed(destination: String)
    /// The delivery became a dead letter.
    case dead(Subject, DeliveryFailure)
    /// A conflict made the delivery a dead letter, for a person to settle.
    case conflict(Subject, DeliveryFailure)
    /// The entry's delivery class dropped the delivery to make room.
    case dropped(DroppedDelivery)
    /// The entry's delivery class dropped the delivery because its lifetime was over.
    case expired(DroppedDelivery)
    /// The reader was too slow: this many events before the next one are lost.
    case missed(Int)
}

extension OutboxEvent {
    static func dropping(_ dropped: DroppedDelivery) -> OutboxEvent {
        dropped.reason == .expired ? .expired(dropped) : .dropped(dropped)
    }

    /// The event of an answer's consequence; nil if no destination was called.
    static func settling(_ outcome: AttemptOutcome, _ attempt: Attempt) -> OutboxEvent? {
        let subject = attempt.pending.subject
        return switch outcome {
        case .delivered: .delivered(subject, attempts: attempt.attempts)
        case .retry(let time, let failure), .merged(_, let time, let failure): .retrying(subject, at: time, failure)
        case .held(let failure), .abandoned(let failure):
            .retrying(subject, at: attempt.due(after: outcome), failure)
        case .filledIn: nil
        case .conflict(let failure, _): .conflict(subject, failure)
        case .dead(let failure): .dead(subject, failure)
        }
    }
}

extension PendingDelivery {
    var subject: OutboxEvent.Subject { .init(id, kind: entry.kind.name, lane: entry.lane) }
}
