/// The right of one owner to deliver from a lane of one destination.
///
/// The owner is the opened store through which the lease was taken. No other owner delivers from
/// the lane until the lease ends, which is at the first of these:
///
/// - It is given back (``Commit/released``).
/// - Its time has run out without an extension, whether the owner lives or not. So a process that
///   is stopped loses its leases.
/// - The machine was started again: ``Uptime`` of another boot.
/// - The store has found that the owner is dead. A store with one owner, such as one in memory, has
///   no deaths to find: its leases end with it.
///
/// A store never takes an owner that lives for a dead one. If it can't tell, the owner counts as
/// living. The death changes nothing else: what was handed out may have been sent, and keeps its
/// bytes under its key until it is settled.
///
/// ``number`` is the fencing token. A settlement, an extension or a return under a number that is
/// not the lane's last one has no effect, but for the news that a delivery has succeeded.
///
/// A store whose disk is full may hold a lease in memory (``Leased/isInMemory``). Other processes
/// don't know of it: until the disk has room, two of them may deliver from a lane at once. Both
/// send the same keys, so a receiver that knows its keys takes each entry once. An entry that was
/// delivered meanwhile, and every decision about one, is committed once there is room. If the
/// process ends before, it is delivered again.
///
/// How a store finds a death:
///
/// | store | clock | owner | dead when |
/// |---|---|---|---|
/// | `MemoryWriteStore` | the store's ``UptimeClock`` | the store | never |
/// | `SQLiteWriteStore` | the store's ``UptimeClock`` | the opened file | its advisory lock (`flock`) is free |
/// | PostgreSQL | the server's `now()` | the session | its advisory lock is free |
///
/// The clock is the store's own, and the engine's is never compared with it. The engine counts the
/// duration of a lease from a reading of its clock before it asks. So it gives a lease up before
/// the store does.
///
/// Behind a pooler of transactions PostgreSQL has no session to hold a lock. There the owner is a
/// row with a heartbeat, and is dead when the server's clock has passed a limit of several
/// heartbeats. That is a guess, so each statement has to compare the number.
public struct Lease: Hashable, Sendable {
    /// A lane as one destination sees it.
    public struct Lane: Hashable, Sendable {
        public var account: Account?
        public var name: String
        public var destination: String

        public init(account: Account? = nil, name: String, destination: String) {
            self.account = account
            self.name = name
            self.destination = destination
        }
    }

    public let lane: Lane
    /// The fencing token: greater than that of each lease of the journal before.
    ///
    /// A lease in memory (``Leased/isInMemory``) may have a provisional number, which is negative.
    /// It gets one of the journal's when it is written.
    public let number: Int64

    public init(lane: Lane, number: Int64) {
        self.lane = lane
        self.number = number
    }
}

/// What a journal is asked for when somebody is ready to deliver.
public struct LeaseRequest: Hashable, Sendable {
    /// A destination, and what it delivers.
    public struct Route: Hashable, Sendable {
        public var destination: String
        /// By ``OutboxEntry/Kind/name``.
        public var kinds: Set<String>
        /// A lane is due when it has as much, or its first entry has waited as long.
        public var limits: BatchLimits

        public init(_ destination: String, kinds: Set<String>, limits: BatchLimits = BatchLimits(entries: 1)) {
            self.destination = destination
            self.kinds = kinds
            self.limits = limits
        }
    }

    public var account: Account?
    public var routes: [Route]
    /// The time by which deliveries are due and expire. Leases run out by the store's own clock.
    public var now: WallTime
    /// How long the leases are good.
    public var duration: Duration
    /// At most so many lanes.
    public var lanes: Int
    /// At most so many entries of each, and so many bytes; at least one entry.
    public var entries: Int
    public var bytes: Int
    /// Not these, whatever is due in them: they take no other's place.
    public var except: Set<Lease.Lane>

    public init(
        account: Account? = nil, routes: [Route], now: WallTime, duration: Duration = .seconds(60),
        lanes: Int = 64, entries: Int = 64, bytes: Int = 1 << 20, except: Set<Lease.Lane> = []
    ) {
        self.account = account
        self.routes = routes
        self.now = now
        self.duration = duration
        self.lanes = lanes
        self.entries = entries
        self.bytes = bytes
        self.except = except
    }
}

/// When a journal has more to hand out, if nothing happens until then.
///
/// It is the answer to ``Journal/nextDue(_:)``. A delivery waits for a wall time, and a lane that
/// is held waits for the end of its lease by the store's clock. The clocks are not comparable, so
/// the answer has both.
public struct NextDue: Hashable, Sendable {
    /// The time at which the next delivery becomes due that isn't due by now.
    ///
    /// nil if no delivery waits for a time.
    public var time: WallTime?
    /// How long it takes until the next lease runs out, by the store's clock.
    ///
    /// nil if no lane of the routes is held.
    public var leaseEndsAfter: Duration?

    /// Creates an answer; nil where nothing waits.
    public init(time: WallTime? = nil, leaseEndsAfter: Duration? = nil) {
        self.time = time
        self.leaseEndsAfter = leaseEndsAfter
    }
}

/// A lane that was leased, with its first deliveries in order.
public struct LeasedLane: Hashable, Sendable {
    public var lease: Lease
    /// All of kinds that were asked for. Empty where nothing of the lane was left but what has
    /// expired.
    public var deliveries: [PendingDelivery]

    public init(lease: Lease, deliveries: [PendingDelivery]) {
        self.lease = lease
        self.deliveries = deliveries
    }
}

/// One destination's share of an entry, before it is settled.
public struct PendingDelivery: Hashable, Sendable {
    public var entry: OutboxEntry
    public var destination: String
    /// Those that count.
    public var attempts: Int
    /// When it was first attempted, whether that counted or not; nil: never.
    public var firstAttempt: WallTime?
    /// When the first attempt began that counts, since a person has retried it where one has; nil:
    /// none counts.
    public var countedSince: WallTime?
    public var nextAttempt: WallTime
    public var lastFailure: DeliveryFailure?
    /// Ids that its payload lacks, by the temporary ones: it is not sent before they are put in
    /// (``Rewrite/owed``).
    public var owed: [String: String]

    public init(
        entry: OutboxEntry, destination: String, attempts: Int = 0, firstAttempt: WallTime? = nil,
        countedSince: WallTime? = nil, nextAttempt: WallTime, lastFailure: DeliveryFailure? = nil,
        owed: [String: String] = [:]
    ) {
        self.entry = entry
        self.destination = destination
        self.attempts = attempts
        self.firstAttempt = firstAttempt
        self.countedSince = countedSince
        self.nextAttempt = nextAttempt
        self.lastFailure = lastFailure
        self.owed = owed
    }

    public var id: DeliveryID { DeliveryID(entry.id, to: destination) }
}

/// An entry and one of its destinations.
public struct DeliveryID: Hashable, Sendable {
    public var entry: OutboxEntry.ID
    public var destination: String

    public init(_ entry: OutboxEntry.ID, to destination: String) {
        self.entry = entry
        self.destination = destination
    }
}
