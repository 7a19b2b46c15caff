internal import Synchronization
public import WharfCore
internal import WharfPrimitives

/// Takes entries and delivers them: each lane in its order, many lanes at once, again after a
/// failure, and nothing twice at one time.
///
/// ```swift
/// let outbox = OutboxEngine(store: store, destinations: [api])
/// outbox.start()
/// try await outbox.enqueue(entry)
/// await outbox.close()
/// ```
///
/// What is delivered arrives at least once on the wire, with the same key and bytes on every
/// attempt; once in effect at a receiver that answers a key which it has seen as it did then. It
/// works until it is closed. Several engines, also of several processes, may work over one store.
public final class OutboxEngine: Outbox {
    /// Changes what a destination answers, before anything follows from it.
    public typealias Classify = @Sendable (PendingDelivery, Delivery) -> Delivery

    public let store: any WriteStore
    /// Whose entries it delivers; nil: of nobody's account.
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
    /// How long a lease is good.
    let leaseDuration: Duration
    /// How long the end waits for a destination that goes on when its task is cancelled.
    let patience: Duration
    let report: IncidentHandler
    let commits: SharedCommits
    let readers = EventReaders()
    let watches = Watches()
    let wakeUp = AutoResetEvent()
    let state: Mutex<EngineState>

    /// - Parameters:
    ///   - classify: for who knows better than a destination what an answer means.
    ///   - connectivity: with one, what could not be reached is tried again when the network is
    ///     back; without one after pauses.
    ///   - uptime: for pauses, and for how long this engine holds a lease. The store has a clock of
    ///     its own.
    ///   - timer: for pauses.
    ///   - random: for jitter and ids.
    ///   - executor: where it works; nil for the global one.
    ///   - width: requests in flight at one time, of each destination. A request that takes much
    ///     longer than others no longer counts, so that those that hang take no other's place.
    ///   - lease: how long a lane stays this engine's own when it stops extending its leases. A
    ///     store that detects the death of a process (``WharfCore/Lease``) frees its lanes before
    ///     that.
    ///   - patience: how long ``close()`` waits for a destination that goes on when its task is
    ///     cancelled. Its leases run out by themselves.
    ///   - onIncident: what went wrong and was survived: a journal that failed, and is asked again;
    ///     a credential that a destination refused.
    ///   - policy: retries, rate and concurrency of a destination, by its name.
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
        commits = SharedCommits(store, executor: executor)
    }

    /// What happens from now on, by this engine.
    public var events: OutboxEvents { readers.subscribe() }

    var now: Moment { Moment(wall: clock.now(), uptime: uptime.now()) }
}
