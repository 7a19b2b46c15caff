/// At most so many in any interval of a length, and as many at once.
public struct RateLimit: Hashable, Sendable {
    /// At least 1.
    public var count: Int
    public var interval: Duration

    public init(_ count: Int, per interval: Duration) {
        self.count = max(1, count)
        self.interval = max(.zero, interval)
    }
}
