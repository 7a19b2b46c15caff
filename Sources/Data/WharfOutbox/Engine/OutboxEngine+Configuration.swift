public import WharfCore

extension OutboxEngine {
    /// The settings of an engine: retries, limits, clocks and handlers.
    ///
    /// ```swift
    /// var configuration = OutboxEngine.Configuration(connectivity: NetworkPathConnectivity())
    /// configuration.width = 8
    /// let outbox = OutboxEngine(store: store, destinations: [api], configuration: configuration)
    /// ```
    public struct Configuration: Sendable {
        /// The retries of a delivery whose destination has no policy of its own.
        public var retry = OutboxRetry.default
        /// Corrects a destination's answer, for an app that knows its meaning better.
        public var classify: Classify = { _, delivery in delivery }
        /// Returns the retries, rate and concurrency of a destination, by its name.
        public var policy: @Sendable (_ destination: String) -> DeliveryPolicy = { _ in DeliveryPolicy() }
        /// The most requests in flight to each destination; 32 by default.
        ///
        /// A request that takes much longer than others no longer counts, so hanging requests block
        /// no others.
        public var width = 32
        /// The time for which a lane stays leased without an extension; a minute by default.
        ///
        /// A store that detects the death of a process (``WharfCore/Lease``) frees its lanes before
        /// that.
        public var lease: Duration = .seconds(60)
        /// The time for which ``close()`` waits for a destination; two seconds by default.
        ///
        /// Only a destination that ignores cancellation takes longer. Its leases run out by
        /// themselves.
        public var patience: Duration = .seconds(2)
        /// The handler of failures that the engine survives.
        ///
        /// Examples are a journal that failed and is asked again, and a refused credential.
        public var onIncident: IncidentHandler = { _ in }
        /// The state of the network; nil if it is unknown.
        ///
        /// With it, unreachable destinations are tried again when the network is back; without it,
        /// after pauses.
        public var connectivity: (any Connectivity)?
        /// The clock of due times.
        public var clock: any WallClock
        /// The clock of pauses, and of this engine's leases. The store has its own clock.
        public var uptime: any UptimeClock
        /// The clock that sleeps during pauses.
        public var timer: any Clock<Duration>
        /// The source of jitter and ids.
        public var random: any RandomNumberGenerator & Sendable
        /// The executor of the engine's tasks; nil for the global executor.
        public var executor: (any TaskExecutor)?

        /// Creates a configuration with the defaults, and the given clocks.
        public init(
            connectivity: (any Connectivity)? = nil, clock: any WallClock = .system,
            uptime: any UptimeClock = .system, timer: any Clock<Duration> = ContinuousClock(),
            random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
            executor: (any TaskExecutor)? = nil
        ) {
            self.connectivity = connectivity
            self.clock = clock
            self.uptime = uptime
            self.timer = timer
            self.random = random
            self.executor = executor
        }
    }
}
