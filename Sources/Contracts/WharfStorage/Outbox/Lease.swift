public import WharfCore

/// The right of one owner to deliver from a lane of one destination.
///
/// The owner is the opened store through which the lease was taken. No other owner delivers from
/// the lane until the lease ends, which is at the first of these events:
///
/// - The lease is given back (``Commit/released``).
/// - Its time runs out without an extension, whether the owner is alive or not. A stopped process
///   therefore loses its leases.
/// - The machine is restarted: ``Uptime`` is of another boot.
/// - The store finds that the owner is dead. A store with one owner, such as one in memory, never
///   finds this: its leases end with it.
///
/// A store never takes a living owner for dead. If it can't tell, the owner counts as alive. The
/// death has no other effect. The leased entries may have been sent, and keep their bytes and their
/// keys until they are settled.
///
/// ``number`` is the fencing token. A settlement, an extension or a return with a number that is
/// not the last one of the lane has no effect. The exception is a successful delivery, which is
/// recorded.
///
/// If its disk is full, a store may hold a lease in memory (``LeaseResult/isInMemory``). Other
/// processes do not know of it: until the disk has room, two of them may deliver from a lane at
/// once. Both send the same keys, so a receiver that deduplicates by key accepts each entry once.
/// Deliveries and decisions are committed once there is room. If the process ends earlier, the
/// entries are delivered again.
///
/// How a store finds a death:
///
/// | store | clock | owner | dead when |
/// |---|---|---|---|
/// | `MemoryWriteStore` | the store's ``UptimeClock`` | the store | never |
/// | `SQLiteWriteStore` | the store's ``UptimeClock`` | the opened file | its advisory lock (`flock`) is free |
/// | PostgreSQL | the server's `now()` | the session | its advisory lock is free |
///
/// The store uses its own clock, which is never compared with the clock of the engine. The engine
/// measures the duration of a lease from a reading of its clock before the request. It therefore
/// gives up a lease earlier than the store.
///
/// Behind a pooler of transactions, PostgreSQL has no session that could hold a lock. The owner is
/// then a row with a heartbeat. It is dead when several heartbeats are missing by the server's
/// clock. That is a guess, so each statement must compare the number.
public struct Lease: Hashable, Sendable {
    /// A lane as one destination sees it.
    public struct Lane: Hashable, Sendable {
        /// The account of the entries; nil for entries without an account.
        public var account: Account?
        /// The name of the lane.
        public var name: String
        /// The name of the destination.
        public var destination: String

        /// Creates a lane.
        public init(account: Account? = nil, name: String, destination: String) {
            self.account = account
            self.name = name
            self.destination = destination
        }
    }

    /// The leased lane.
    public let lane: Lane
    /// The fencing token, greater than that of each earlier lease of the journal.
    ///
    /// A lease in memory (``LeaseResult/isInMemory``) may have a provisional number, which is
    /// negative. It gets a number of the journal when it is written.
    public let number: Int64

    /// Creates a lease. A store calls it.
    public init(lane: Lane, number: Int64) {
        self.lane = lane
        self.number = number
    }
}

/// A request for lanes to deliver.
public struct LeaseRequest: Hashable, Sendable {
    /// A destination and the kinds that it delivers.
    public struct DestinationFilter: Hashable, Sendable {
        /// The name of the destination.
        public var destination: String
        /// The kinds, by ``OutboxEntry/Kind/name``.
        public var kinds: Set<String>
        /// The limits of a batch. A lane is due when it fills one or has waited long enough.
        public var limits: BatchLimits

        /// Creates a filter. Without limits, batches have one entry.
        public init(_ destination: String, kinds: Set<String>, limits: BatchLimits = BatchLimits(entries: 1)) {
            self.destination = destination
            self.kinds = kinds
            self.limits = limits
        }
    }

    /// The account whose lanes are requested.
    public var account: Account?
    /// The destinations that the caller can deliver to.
    public var destinations: [DestinationFilter]
    /// The time by which deliveries are due and expire.
    ///
    /// Leases run out by the store's own clock.
    public var now: WallTime
    /// The duration of the leases.
    public var duration: Duration
    /// The maximum number of lanes.
    public var lanes: Int
    /// The maximum number of entries per lane.
    public var entries: Int
    /// The maximum of payload bytes per lane; 1 MiB by default.
    ///
    /// The first entry may be larger.
    public var bytes = 1 << 20
    /// Lanes that must not be leased. They do not count toward `lanes`.
    public var except: Set<Lease.Lane> = []

    /// Creates a request.
    public init(
        account: Account? = nil, destinations: [DestinationFilter], now: WallTime, duration: Duration = .seconds(60),
        lanes: Int = 64, entries: Int = 64
    ) {
        self.account = account
        self.destinations = destinations
        self.now = now
        self.duration = duration
        self.lanes = lanes
        self.entries = entries
    }
}

/// The times at which a journal has more to lease, if no event comes first.
///
/// It is the result of ``Journal/nextDue(_:)``. A delivery waits for a wall time. A leased lane
/// waits for the end of its lease by the store's clock. These clocks are not comparable, so there
/// are two values.
public struct NextDue: Hashable, Sendable {
    /// The time at which the next delivery becomes due that is not due now.
    ///
    /// It is nil if no delivery waits for a time.
    public var time: WallTime?
    /// The time until the next lease runs out, by the store's clock.
    ///
    /// It is nil if no lane of the destinations is leased.
    public var leaseEndsAfter: Duration?

    /// Creates a result; nil if there is nothing to wait for.
    public init(time: WallTime? = nil, leaseEndsAfter: Duration? = nil) {
        self.time = time
        self.leaseEndsAfter = leaseEndsAfter
    }
}

/// A leased lane with its first deliveries in order.
public struct LeasedLane: Hashable, Sendable {
    /// The lease.
    public var lease: Lease
    /// Deliveries of requested kinds. It is empty if all of them have expired.
    public var deliveries: [PendingDelivery]

    /// Creates a leased lane.
    public init(lease: Lease, deliveries: [PendingDelivery]) {
        self.lease = lease
        self.deliveries = deliveries
    }
}

/// The unsettled delivery of an entry to one destination.
public struct PendingDelivery: Hashable, Sendable {
    /// The entry.
    public var entry: OutboxEntry
    /// The name of the destination.
    public var destination: String
    /// The number of counted attempts.
    public var attempts = 0
    /// The time of the first attempt, counted or not; nil if there was none.
    public var firstAttempt: WallTime?
    /// The start of the first counted attempt; nil if no attempt counts.
    ///
    /// If a person has retried the delivery, only attempts after that are meant.
    public var countedSince: WallTime?
    /// The time of the next attempt.
    public var nextAttempt: WallTime
    /// The failure of the last attempt, if there was one.
    public var lastFailure: DeliveryFailure?
    /// Assigned ids that the payload lacks, by the temporary ids.
    ///
    /// The entry must not be sent before they are put in (``Rewrite/owed``).
    public var owed: [String: String] = [:]

    /// Creates a delivery that was not attempted yet.
    public init(entry: OutboxEntry, destination: String, nextAttempt: WallTime) {
        self.entry = entry
        self.destination = destination
        self.nextAttempt = nextAttempt
    }

    /// The id of the delivery.
    public var id: DeliveryID { DeliveryID(entry.id, to: destination) }
}
