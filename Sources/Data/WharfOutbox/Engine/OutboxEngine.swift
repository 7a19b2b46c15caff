internal import Synchronization
public import WharfCore
internal import WharfPrimitives
public import WharfStorage

/// An outbox that delivers each lane in order, many lanes at once, with retries.
///
/// ```swift
/// let outbox = OutboxEngine(store: store, destinations: [api])
/// outbox.start()
/// try await outbox.enqueue(entry)
/// await outbox.close()
/// ```
///
/// - A delivery arrives at least once, with the same key and bytes on every attempt. It takes
///   effect once if the receiver answers a repeated key as it did the first time.
/// - A delivery is never in flight twice at one time.
/// - Several engines, even of several processes, may share one store.
public final class OutboxEngine: Outbox {
    /// Changes the answer of a destination before its consequence is computed.
    public typealias Classify = @Sendable (PendingDelivery, Delivery) -> Delivery

    public let store: any WriteStore
    /// The account whose entries the engine delivers; nil for entries of no account.
    public let account: Account?
    let retry: OutboxRetry
    let classify: Classify
    let policy: @Sendable (_ destination: String) -> DeliveryPolicy
    let connectivity: (any Connectivity)?
    let clock: any WallClock
    let uptime: any UptimeClock
    let timer: any Clock<Duration>
    let random: SharedRandom
    let ids: EntryIDs
    let executor: (any TaskExecutor)?
    /// The duration of a lease.
    let leaseDuration: Duration
    /// How long ``close()`` waits for a destination that ignores cancellation.
    let patience: Duration
    let report: IncidentHandler
    let commits: GroupCommit
    let readers = EventReaders()
    let outcomeObservers = OutcomeObservers()
    let wakeUp = AutoResetEvent()
    let state: Mutex<EngineState>

    /// Creates an engine. It delivers nothing before ``start()`` or ``drain(within:)``.
    ///
    /// - Parameter account: the account whose entries are delivered; nil for entries of no account.
    public init(
        store: any WriteStore, account: Account? = nil, destinations: [any Destination] = [],
        configuration: Configuration = Configuration()
    ) {
        self.store = store
        self.account = account
        retry = configuration.retry
        classify = configuration.classify
        policy = configuration.policy
        connectivity = configuration.connectivity
        clock = configuration.clock
        uptime = configuration.uptime
        timer = configuration.timer
        executor = configuration.executor
        patience = configuration.patience
        random = SharedRandom(configuration.random)
        ids = EntryIDs(random)
        leaseDuration = configuration.lease
        report = configuration.onIncident
        // Probes come at least each 300 s, also if retries of entries may pause for longer.
        let probes = Backoff(base: retry.base, cap: min(retry.cap, .seconds(300)))
        let jitter = Backoff(base: retry.base, cap: retry.cap)
        var state = EngineState(
            schedule: Schedule(
                width: configuration.width, probes: probes, jitter: jitter, longestHold: retry.longestRetryAfter))
        for destination in destinations { state.register(Registration(destination, policy)) }
        self.state = Mutex(state)
        commits = GroupCommit(store, executor: executor)
    }

    /// The events of this engine, from now on.
    public var events: OutboxEvents { readers.subscribe() }

    var now: ClockReading { ClockReading(wall: clock.now(), uptime: uptime.now()) }
}
