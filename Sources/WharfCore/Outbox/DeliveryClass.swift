/// What may happen to an entry before it is delivered. What a class drops is counted, and told.
public enum DeliveryClass: Hashable, Sendable {
    /// Nothing: it waits until it is delivered, or a person decides.
    case durable
    /// At most so many of its kind and account wait for a destination: the oldest that are not on
    /// their way are dropped for newer ones. Those that are don't count.
    case bounded(Int)
    /// It is worth nothing after a time.
    ///
    /// - Parameter latestWins: a newer one of its kind drops those of this class in its lane that
    ///   were never attempted and are not on their way.
    case expiring(after: Duration, latestWins: Bool)
}
