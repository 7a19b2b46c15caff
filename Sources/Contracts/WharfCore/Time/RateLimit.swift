/// A limit of requests in any interval of a length. All of them may come at once.
public struct RateLimit: Hashable, Sendable {
    /// The number of requests per interval; at least 1.
    public var count: Int
    /// The length of the interval.
    public var interval: Duration

    /// Creates a limit. The count is at least 1, and the interval at least zero.
    public init(_ count: Int, per interval: Duration) {
        self.count = max(1, count)
        self.interval = max(.zero, interval)
    }
}
