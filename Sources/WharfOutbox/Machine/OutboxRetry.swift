internal import WharfCore
internal import WharfPrimitives

/// After what pause a delivery that failed is attempted again, and when it is given up for a person
/// to look at.
public struct OutboxRetry: Hashable, Sendable {
    /// Attempts in all that count; nil: no limit.
    public var attempts: Int?
    /// Since the first attempt that counts, anew where a person has retried it; nil: no limit. Days
    /// without a network are no failure of the receiver; nor is a clock that somebody has set, so
    /// it ends nothing before ``certain`` attempts have counted.
    public var time: Duration?
    /// The bound of the first pause, which doubles with each attempt; the pause is a random part of
    /// it ("full jitter").
    public var base: Duration
    /// The bound grows to this.
    public var cap: Duration
    /// A receiver that asks for a longer pause than this (`Retry-After`) is asked again after this.
    public var longestRetryAfter: Duration
    /// After so many attempts a request that the receiver has in progress (409) becomes a conflict.
    public var attemptsInProgress: Int

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

    public static let `default` = OutboxRetry()

    /// So many have to fail before time alone gives anything up.
    static let certain = 3

    /// - Parameter failures: attempts that counted; at least 1.
    func pause(
        afterFailures failures: Int, retryAfter: Duration? = nil, using random: inout some RandomNumberGenerator
    ) -> Duration {
        let asked = max(.zero, min(retryAfter ?? .zero, longestRetryAfter))
        return asked + Backoff(base: base, cap: cap).delay(afterFailures: failures, using: &random)
    }

    /// What is given up, in words; nil: it goes on.
    func exhaustion(attempts count: Int, since first: WallTime, at now: WallTime) -> String? {
        if let attempts, count >= attempts { return "given up after \(count) attempts" }
        if let time, count >= Self.certain, now - first >= time {
            return "given up after \(count) attempts in \((now - first).wholeSeconds) s"
        }
        return nil
    }
}
