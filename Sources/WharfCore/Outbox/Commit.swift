/// Everything that one transaction does, as a value: so that a change of an entity and the entry
/// that tells of it can't come apart.
///
/// In this order: entities, settlements, assigned ids, rewrites, what people have decided, new
/// entries, leases that are given back.
///
/// A store leaves out the entities and ids that come with deliveries of an account if the account
/// was removed after the lease of the delivery:
///
/// - An id belongs to its entry, and an entity to its account alone. So a commit keeps no entities
///   of an account if it settles deliveries of it from before the removal and from after it.
/// - Entities replace no row if each delivery of the account in the commit was settled by another
///   owner before.
///
/// The commit gets a version of each account whose entities it changes (see ``EntityStore``), and
/// none for what it does to the journal alone.
public struct Commit: Hashable, Sendable {
    public var entities: [EntityChange] = []
    /// The versions that the commit was computed from. If one differs, nothing of the commit is
    /// carried out, and ``Committed/outcome`` has the current states. Checked before anything else.
    public var expecting: [EntityKey: StoreVersion] = [:]
    /// Each goes to the end of its lane, in this order. An id that is there already throws
    /// ``StoreError/Code/changed``.
    public var enqueued: [OutboxEntry] = []
    public var settled: [Settlement] = []
    public var assigned: [IDAssignment] = []
    /// One whose delivery is retried as well has to be a dead letter still; otherwise somebody else
    /// has decided (``StoreError/Code/changed``).
    public var rewritten: [Rewrite] = []
    /// Dead letters to be attempted again, in their old places, under the same key, with attempts
    /// and their time counted from zero.
    public var retried: [DeliveryID] = []
    /// Deliveries, waiting or dead, that are given up. What depends on their entry becomes a dead
    /// letter.
    public var discarded: [DeliveryID] = []
    /// Dead letters that were looked at before this was decided, by the keys of what was seen.
    /// Where one is none any more, or has another key, somebody else has decided: the whole commit
    /// throws ``StoreError/Code/changed``.
    public var lookedAt: [DeliveryID: IdempotencyKey] = [:]
    /// Destinations to which nothing is leased until they are resumed.
    ///
    /// One that is paused already keeps the time of its first pause. It gets the new reason, if
    /// there is one.
    public var paused: [PausedDestination: OutboxPause] = [:]
    /// Destinations whose pauses end, those of this commit included.
    public var resumed: Set<PausedDestination> = []
    public var released: [Lease] = []

    public init() {}

    public init(
        entities: [EntityChange] = [], expecting: [EntityKey: StoreVersion] = [:], enqueued: [OutboxEntry]
    ) {
        self.entities = entities
        self.expecting = expecting
        self.enqueued = enqueued
    }
}

/// The outcome of a commit, and the deliveries that were dropped for it.
public struct Committed: Hashable, Sendable {
    /// Never a refusal where the commit expects nothing (``Commit/expecting``).
    public var outcome: CommitOutcome
    /// What delivery classes have dropped to make room.
    public var dropped: [DroppedDelivery] = []

    public init(dropped: [DroppedDelivery] = [], outcome: CommitOutcome = .committed([:])) {
        self.dropped = dropped
        self.outcome = outcome
    }
}

/// A delivery that its class gave up.
public struct DroppedDelivery: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There were too many (``DeliveryClass/bounded(_:)``).
        case bounded
        /// It came too late.
        case expired
        /// A newer one has taken its place.
        case replaced
    }

    public var delivery: DeliveryID
    public var kind: String
    public var reason: Reason

    public init(_ delivery: DeliveryID, kind: String, _ reason: Reason) {
        self.delivery = delivery
        self.kind = kind
        self.reason = reason
    }
}
