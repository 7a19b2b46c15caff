/// The rule by which an undelivered entry may be dropped.
///
/// Each drop is counted and reported.
public enum DeliveryClass: Hashable, Sendable {
    /// The entry is never dropped. It waits until it is delivered or a person decides.
    case durable
    /// At most this many entries of a kind and account wait for a destination.
    ///
    /// For newer entries the oldest ones are dropped. Entries in flight are neither dropped nor
    /// counted.
    case bounded(Int)
    /// The entry is dropped after a time.
    ///
    /// - Parameter latestWins: whether a newer entry of its kind drops those of this class in its
    ///   lane. Only entries that were never attempted and are not in flight are dropped.
    case expiring(after: Duration, latestWins: Bool)
}
