public import WharfCore

/// The settings of a repository, for models of any kind.
///
/// ```swift
/// let users = Repository(source: source, configuration: .init(policy: .networkFirst))
/// ```
public struct RepositoryConfiguration: Sendable {
    /// The most models held in memory; 1,000 by default.
    ///
    /// Beyond it, the least recently read are evicted. Observed models stay.
    public var rememberedModels = 1_000
    /// The handler of failures that the repository survives, such as a row that can't be decoded.
    ///
    /// A repository without a store has no such failures.
    public var onIncident: IncidentHandler = { _ in }
    /// The policy of reads that name none.
    ///
    /// Observation begins with ``WharfCore/ReadPolicy/cacheThenNetwork`` all the same.
    public var policy: ReadPolicy
    /// The state of the network; nil if it is unknown.
    ///
    /// With it, reads answer at once while there is no network, and observers wait for it.
    public var connectivity: (any Connectivity)?
    /// The pause after which observed models are refreshed, fresh or not; nil for never.
    ///
    /// There is no refresh without a network or an observer.
    public var refreshInterval: Duration?
    /// The clock that tells fresh from stale.
    public var clock: any WallClock
    /// The clock of pauses between refreshes, and after a store has failed.
    public var timer: any Clock<Duration>
    /// The executor of the repository's tasks; nil for the global executor.
    ///
    /// They are shared requests, writes, and the tasks that follow changes.
    public var executor: (any TaskExecutor)?

    /// Creates a configuration with the defaults, and the given policy and clocks.
    public init(
        policy: ReadPolicy = .standard, connectivity: (any Connectivity)? = nil, refreshInterval: Duration? = nil,
        clock: any WallClock = .system, timer: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil
    ) {
        self.policy = policy
        self.connectivity = connectivity
        self.refreshInterval = refreshInterval
        self.clock = clock
        self.timer = timer
        self.executor = executor
    }
}
