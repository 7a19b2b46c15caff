/// The size of an event beside the largest that a receiver takes.
public struct EventSize: Hashable, Sendable {
    /// The event's bytes in the receiver's form.
    public var bytes: Int
    /// The largest number of bytes that the receiver takes.
    public var limit: Int

    /// Creates a size.
    public init(bytes: Int, limit: Int) {
        self.bytes = bytes
        self.limit = limit
    }

    var isTooLarge: Bool { bytes > limit }
}
