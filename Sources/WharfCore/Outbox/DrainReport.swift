public import WharfCore

/// What a drain did, and what is left.
public struct DrainReport: Hashable, Sendable {
    public var delivered: Int
    /// Attempts that failed, and will be made again.
    public var failed: Int
    /// New dead letters.
    public var setAside: Int
    /// Whether all was attempted that was due; false where the time was over before.
    public var isComplete: Bool
    /// What the journal has of the account now.
    public var remaining: OutboxCounts
    /// What of it nobody here delivers, because its kind is not registered.
    public var parked: [OutboxCounts.Route: Int]
}
