/// The id of a delivery: an entry and one of its destinations.
public struct DeliveryID: Hashable, Sendable {
    /// The id of the entry.
    public var entry: OutboxEntry.ID
    /// The name of the destination.
    public var destination: String

    /// Creates an id.
    public init(_ entry: OutboxEntry.ID, to destination: String) {
        self.entry = entry
        self.destination = destination
    }
}
