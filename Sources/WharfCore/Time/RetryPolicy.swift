internal import WharfPrimitives

/// How often and after what pause something that failed is tried again, as a value without clock or
/// randomness.
///
/// The pause is exponential backoff with full jitter: a random time between zero and a bound that
/// doubles with each attempt. That spreads clients that failed at the same moment better than a
/// fixed or half-random pause.
public struct RetryPolicy: Sendable, Hashable {
    /// Tries in all, the first one included.
    public var attempts: Int
    /// The bound of the first pause.
    public var base: Duration
    /// No pause is longer than this.
    public var cap: Duration
    /// A server's `Retry-After` beyond this ends the retries: the caller would rather have the
    /// answer now.
    public var longestRetryAfter: Duration

    public init(
        attempts: Int = 3, base: Duration = .milliseconds(200), cap: Duration = .seconds(10),
        longestRetryAfter: Duration = .seconds(30)
    ) {
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.longestRetryAfter = longestRetryAfter
    }

    public static let `default` = RetryPolicy()
    public static let never = RetryPolicy(attempts: 1)

    /// The pause before the next try, or nil when there is to be none.
    ///
    /// - Parameters:
    ///   - failures: tries that failed so far; at least 1.
    ///   - retryAfter: what the server asked for (RFC 9110 §10.2.3). It is a lower bound, so jitter
    ///     is added to it, not taken off.
    public func delay(
        afterFailures failures: Int, retryAfter: Duration? = nil, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard failures < attempts else { return nil }
        if let retryAfter, retryAfter > longestRetryAfter { return nil }
        let backoff = Backoff(base: base, cap: cap).delay(afterFailures: failures, using: &random)
        return max(retryAfter ?? .zero, .zero) + backoff
    }
}
