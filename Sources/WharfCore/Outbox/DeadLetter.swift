/// A delivery that was set aside: it is attempted again only when a person, or the app, says so.
public struct DeadLetter: Hashable, Sendable {
    public var entry: OutboxEntry
    public var destination: String
    public var attempts: Int
    public var failure: DeliveryFailure
    /// When the attempt began that failed; of what was never attempted when it was enqueued.
    public var diedAt: WallTime
    /// Of a conflict, where the receiver said it.
    public var theirs: [UInt8]?

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

    public var id: DeliveryID { DeliveryID(entry.id, to: destination) }

    /// nil where it did not fail by a conflict.
    public var conflict: ConflictRecord? {
        failure.code == .conflict ? ConflictRecord(entry: entry, theirs: theirs) : nil
    }
}
