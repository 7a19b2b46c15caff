internal import WharfCore
internal import WharfPrimitives

/// The backoff of failed deliveries, and the limits that make them dead letters.
public struct OutboxRetry: Hashable, Sendable {
    /// The most attempts that count; nil for no limit.
    public var attempts: Int?
    /// The longest time since the first counted attempt; nil for no limit.
    ///
    /// It starts again when a person retries the dead letter. Days without a network are no failure
    /// of the receiver, and the wall clock may be set. So time ends nothing before 3 attempts have
    /// counted.
    public var time: Duration?
    /// The bound of the first pause, which doubles with each attempt.
    ///
    /// The pause is a random part of the bound ("full jitter").
    public var base: Duration
    /// The greatest bound of a pause.
    public var cap: Duration
    /// The longest `Retry-After` that is honoured. A longer one is cut to this.
    public var longestRetryAfter: Duration
    /// The number of attempts that make a request in progress (409) a conflict.
    public var attemptsInProgress: Int

    /// Creates retry limits and a backoff.
    public init(
        attempts: Int? = 100, time: Duration? = .seconds(7 * 24 * 3_600), base: Duration = .seconds(1),
        cap: Duration = .seconds(3_600), longestRetryAfter: Duration = .seconds(24 * 3_600),
        attemptsInProgress: Int = 8
    ) {
        self.attempts = attempts
        self.time = time
        self.base = base
        self.cap = cap
        self.longestRetryAfter = longestRetryAfter
        self.attemptsInProgress = attemptsInProgress
    }

    /// Limits of 100 attempts and 7 days, with pauses of up to an hour.
    public static let `default` = OutboxRetry()

    /// The number of failures before ``time`` can end a delivery.
    static let certain = 3

    /// - Parameter failures: the number of counted attempts; at least 1.
    func pause(
        afterFailures failures: Int, retryAfter: Duration? = nil, using random: inout some RandomNumberGenerator
    ) -> Duration {
        // A negative or endless `Retry-After` is an error of the receiver, and must not block the
        // entry.
        let asked = max(.zero, min(retryAfter ?? .zero, longestRetryAfter))
        // The jitter comes on top: clients that got the same `Retry-After` would return at one
        // moment.
        return asked + Backoff(base: base, cap: cap).delay(afterFailures: failures, using: &random)
    }

    /// The exhausted limit in words; nil if the delivery is retried.
    func exhaustion(attempts count: Int, since first: WallTime, at now: WallTime) -> String? {
        if let attempts, count >= attempts { return "given up after \(count) attempts" }
        if let time, count >= Self.certain, now - first >= time {
            return "given up after \(count) attempts in \((now - first).wholeSeconds) s"
        }
        return nil
    }
}
