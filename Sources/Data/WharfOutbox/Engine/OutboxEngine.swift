internal import Synchronization
public import WharfCore
internal import WharfPrimitives

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
    let watches = OutcomeObservers()
    let wakeUp = AutoResetEvent()
    let state: Mutex<EngineState>

    /// Creates an engine. It delivers nothing before ``start()`` or ``drain(within:)``.
    ///
    /// - Parameters:
    ///   - classify: corrects a destination's answer, for an app that knows its meaning better.
    ///   - connectivity: the network's state. With it, unreachable destinations are tried again
    ///     when the network is back; without it, after pauses.
    ///   - uptime: the clock of pauses, and of this engine's leases. The store has its own clock.
    ///   - timer: the clock that sleeps during pauses.
    ///   - random: the source of jitter and ids.
    ///   - executor: where the engine works; nil for the global executor.
    ///   - width: the most requests in flight to each destination. A request that takes much longer
    ///     than others no longer counts, so hanging requests block no others.
    ///   - lease: how long a lane stays leased after this engine stops extending it. A store that
    ///     detects the death of a process (``WharfCore/Lease``) frees its lanes before that.
    ///   - patience: how long ``close()`` waits for a destination that ignores cancellation. Its
    ///     leases run out by themselves.
    ///   - onIncident: receives failures that the engine survives: a journal that failed and is
    ///     asked again, or a refused credential.
    ///   - policy: returns the retries, rate and concurrency of a destination, by its name.
    public init(
        store: any WriteStore, account: Account? = nil, destinations: [any Destination] = [],
        retry: OutboxRetry = .default, classify: @escaping Classify = { _, delivery in delivery },
        connectivity: (any Connectivity)? = nil, clock: any WallClock = .system, uptime: any UptimeClock = .system,
        timer: any Clock<Duration> = ContinuousClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        executor: (any TaskExecutor)? = nil, width: Int = 32, lease: Duration = .seconds(60),
        patience: Duration = .seconds(2), onIncident: @escaping IncidentHandler = { _ in },
        policy: @escaping @Sendable (_ destination: String) -> DeliveryPolicy = { _ in DeliveryPolicy() }
    ) {
        self.store = store
        self.account = account
        self.retry = retry
        self.classify = classify
        self.policy = policy
        self.connectivity = connectivity
        self.clock = clock
        self.uptime = uptime
        self.timer = timer
        self.executor = executor
        self.patience = patience
        self.random = SharedRandom(random)
        ids = EntryIDs(self.random)
        leaseDuration = lease
        report = onIncident
        let probes = Backoff(base: retry.base, cap: min(retry.cap, .seconds(300)))
        let jitter = Backoff(base: retry.base, cap: retry.cap)
        var state = EngineState(
            schedule: Schedule(
                width: width, probes: probes, jitter: jitter, longestHold: retry.longestRetryAfter))
        for destination in destinations { state.register(destination, policy) }
        self.state = Mutex(state)
        commits = GroupCommit(store, executor: executor)
    }

    /// The events of this engine, from now on.
    public var events: OutboxEvents { readers.subscribe() }

    var now: Moment { Moment(wall: clock.now(), uptime: uptime.now()) }
}
