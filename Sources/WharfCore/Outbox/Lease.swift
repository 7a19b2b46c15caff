/// A hold on a lane of one destination: nobody else delivers from it, in this process or another, until it is given back or
/// has run out.
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
    /// Greater than that of each lease of the journal before: a holder whose lease has passed to another is told apart.
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
    public var now: WallTime
    /// The time by which leases run out, of which setting the wall clock changes nothing.
    public var uptime: Uptime
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
        account: Account? = nil, routes: [Route], now: WallTime, uptime: Uptime, duration: Duration = .seconds(60),
        lanes: Int = 64, entries: Int = 64, bytes: Int = 1 << 20, except: Set<Lease.Lane> = []
    ) {
        self.account = account
        self.routes = routes
        self.now = now
        self.uptime = uptime
        self.duration = duration
        self.lanes = lanes
        self.entries = entries
        self.bytes = bytes
        self.except = except
    }
}

/// A lane that was leased, with its first deliveries in order.
public struct LeasedLane: Hashable, Sendable {
    public var lease: Lease
    /// All of kinds that were asked for. Empty where nothing of the lane was left but what has expired.
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
    /// When the first attempt began that counts, since a person has retried it where one has; nil: none counts.
    public var countedSince: WallTime?
    public var nextAttempt: WallTime
    public var lastFailure: DeliveryFailure?
    /// Ids that its payload lacks, by the temporary ones: it is not sent before they are put in (``Rewrite/owed``).
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
