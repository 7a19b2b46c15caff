public import WharfCore

/// The retries, rate limit and concurrency of one destination.
///
/// ```swift
/// var configuration = OutboxEngine.Configuration()
/// configuration.policy = { destination in
///     switch destination {
///     case "mail": DeliveryPolicy(rate: RateLimit(10, per: .seconds(1)), concurrency: 4)
///     default: DeliveryPolicy()
///     }
/// }
/// let outbox = OutboxEngine(store: store, destinations: [api, mail], configuration: configuration)
/// ```
public struct DeliveryPolicy: Sendable {
    /// The retries of the destination's entries; nil for the engine's.
    public var retry: OutboxRetry?
    /// The retries of single entries, such as those of a kind; nil for ``retry``.
    public var retryOf: (@Sendable (OutboxEntry) -> OutboxRetry?)?
    /// The most requests in an interval; nil for any number.
    ///
    /// A batch is one request. A request that waits for its time uses up no attempt.
    public var rate: RateLimit?
    /// The most requests in flight at one time; nil for the engine's `width`.
    ///
    /// The engine sends fewer while the receiver shows congestion (429, 5xx, no answer). A request
    /// that hangs while others wait no longer counts, so more may be in flight.
    public var concurrency: Int?

    /// Creates a policy. Without arguments it is the engine's own.
    public init(
        retry: OutboxRetry? = nil, rate: RateLimit? = nil, concurrency: Int? = nil,
        retryOf: (@Sendable (OutboxEntry) -> OutboxRetry?)? = nil
    ) {
        self.retry = retry
        self.retryOf = retryOf
        self.rate = rate
        self.concurrency = concurrency
    }

    func retry(of entry: OutboxEntry, otherwise usual: OutboxRetry) -> OutboxRetry {
        // The most specific rule wins: the entry's, the destination's, the engine's.
        retryOf?(entry) ?? retry ?? usual
    }
}
