/// The result of a drain: what was attempted, and what is left.
public struct DrainReport: Hashable, Sendable {
    /// Deliveries that the drain made.
    public var delivered: Int
    /// Attempts that failed, and will be made again.
    public var failed: Int
    /// New dead letters.
    public var setAside: Int
    /// Whether all was attempted that was due.
    ///
    /// False if the time was over before, and while a receiver wants no requests, fails, or refuses
    /// the credential. Entries of a paused destination are not due.
    public var isComplete: Bool
    /// The entries that the journal has of the account now.
    public var remaining: OutboxCounts
    /// Entries that remain because their kind is registered with no destination here.
    public var parked: [OutboxCounts.Route: Int]

    /// Entries that remain because their destination is paused. They are not due.
    public var paused: [OutboxCounts.Route: Int] {
        remaining.pending.filter { remaining.paused[$0.key.destination] != nil }
    }

    /// Creates a report, for an ``Outbox`` of your own.
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
