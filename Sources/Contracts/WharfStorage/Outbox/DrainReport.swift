/// The result of a drain: the attempts, and the entries that remain.
public struct DrainReport: Hashable, Sendable {
    /// The number of deliveries in the drain.
    public var delivered: Int
    /// The number of failed attempts that will be repeated.
    public var failed: Int
    /// The number of new dead letters.
    public var setAside: Int
    /// Whether everything that was due was attempted.
    ///
    /// It is false if the time ran out, or if a receiver limits the rate, fails, or refuses the
    /// credential. Entries of a paused destination are not due.
    public var isComplete: Bool
    /// The present entries of the account in the journal.
    public var remaining: OutboxCounts
    /// The remaining entries whose kind no registered destination delivers.
    public var parked: [OutboxCounts.Route: Int]

    /// The remaining entries of paused destinations. They are not due.
    public var paused: [OutboxCounts.Route: Int] {
        remaining.pending.filter { remaining.paused[$0.key.destination] != nil }
    }

    /// Creates a report. Use it in an ``Outbox`` of your own.
    public init(
        delivered: Int = 0, failed: Int = 0, setAside: Int = 0, isComplete: Bool = true,
        remaining: OutboxCounts = OutboxCounts(), parked: [OutboxCounts.Route: Int] = [:]
    ) {
        self.delivered = delivered
        self.failed = failed
        self.setAside = setAside
        self.isComplete = isComplete
        self.remaining = remaining
        self.parked = parked
    }
}
