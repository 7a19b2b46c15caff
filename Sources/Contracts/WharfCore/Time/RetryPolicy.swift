internal import WharfPrimitives

/// The number of attempts and the pauses between them, without clock or randomness.
///
/// The pause is exponential backoff with full jitter: a random time between zero and a bound that
/// doubles with each attempt. Clients that failed at the same moment are spread better than with a
/// fixed or half-random pause.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, the first one included.
    public var attempts: Int
    /// The bound of the first pause.
    public var base: Duration
    /// The maximum of the backoff. A `Retry-After` can make the pause longer.
    public var cap: Duration
    /// The longest `Retry-After` that is obeyed.
    ///
    /// A longer one ends the retries, and the caller gets the answer at once.
    public var longestRetryAfter: Duration

    /// Creates a policy.
    public init(
        attempts: Int = 3, base: Duration = .milliseconds(200), cap: Duration = .seconds(10),
        longestRetryAfter: Duration = .seconds(30)
    ) {
        self.attempts = attempts
        self.base = base
        self.cap = cap
        self.longestRetryAfter = longestRetryAfter
    }

    /// Three attempts, with a backoff of at most 10 seconds.
    public static let `default` = RetryPolicy()
    /// A single attempt.
    public static let never = RetryPolicy(attempts: 1)

    /// Returns the pause before the next attempt; nil if there is none.
    ///
    /// - Parameters:
    ///   - failures: the number of failed attempts; at least 1.
    ///   - retryAfter: the pause that the server asks for (RFC 9110 §10.2.3). It is a lower bound,
    ///     to which the jitter is added.
    public func delay(
        afterFailures failures: Int, retryAfter: Duration? = nil, using random: inout some RandomNumberGenerator
    ) -> Duration? {
        guard failures < attempts else { return nil }
        // The caller gets the answer at once, because the pause is longer than it would wait.
        if let retryAfter, retryAfter > longestRetryAfter { return nil }
        let backoff = Backoff(base: base, cap: cap).delay(afterFailures: failures, using: &random)
        // Clients that got the same `Retry-After` would otherwise return at one moment.
        return max(retryAfter ?? .zero, .zero) + backoff
    }
}
