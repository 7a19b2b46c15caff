public import WharfCore

/// A delivery that is attempted again only if a person or the app decides so.
public struct DeadLetter: Hashable, Sendable {
    /// The entry.
    public var entry: OutboxEntry
    /// The name of the destination.
    public var destination: String
    /// The number of counted attempts.
    public var attempts: Int
    /// The reason why it is dead.
    public var failure: DeliveryFailure
    /// The start of the failed attempt.
    ///
    /// Without an attempt it is the time at which the entry was enqueued.
    public var diedAt: WallTime
    /// The receiver's state in a conflict, if the receiver sent it.
    public var theirs: [UInt8]?

    /// Creates a dead letter.
    public init(
        entry: OutboxEntry, destination: String, attempts: Int, failure: DeliveryFailure, diedAt: WallTime,
        theirs: [UInt8]? = nil
    ) {
        self.entry = entry
        self.destination = destination
        self.attempts = attempts
        self.failure = failure
        self.diedAt = diedAt
        self.theirs = theirs
    }

    /// The id of the delivery.
    public var id: DeliveryID { DeliveryID(entry.id, to: destination) }

    /// The conflict; nil if the delivery failed for another reason.
    public var conflict: ConflictRecord? {
        failure.code == .conflict ? ConflictRecord(entry: entry, theirs: theirs) : nil
    }
}
