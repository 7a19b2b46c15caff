public import WharfCore

/// The changes of one transaction, as a value.
///
/// It commits a change of an entity together with the entry that reports it, or neither. The order
/// is: entities, settlements, assigned ids, rewrites, decisions of people, new entries, released
/// leases.
///
/// A delivery can bring entities and ids. A store leaves them out if their account was removed
/// after the lease of the delivery:
///
/// - An id belongs to its entry, but an entity only to its account. If a commit settles deliveries
///   of an account from before its removal and from after it, no entities of the account are kept.
/// - Entities replace no row if another owner had already settled each delivery of the account in
///   the commit.
///
/// The commit gets a version of each account whose entities it changes (see ``EntityStore``).
/// Changes of the journal alone get none.
public struct Commit: Hashable, Sendable {
    /// The changes of entities, in order.
    public var entities: [EntityChange] = []
    /// The versions that the commit was computed from.
    ///
    /// They are checked first. If one differs, the whole commit is refused, and
    /// ``CommitResult/outcome`` has the current states.
    public var expecting: [EntityKey: StoreVersion] = [:]
    /// New entries, which go to the ends of their lanes in this order.
    ///
    /// An id that is already in the journal throws ``StoreError/Code/changed``.
    public var enqueued: [OutboxEntry] = []
    /// The results of attempts.
    public var settled: [Settlement] = []
    /// The ids that receivers have assigned.
    public var assigned: [IDAssignment] = []
    /// New payloads of entries.
    ///
    /// If the commit also retries the delivery, it must still be a dead letter. Otherwise another
    /// decision was made first (``StoreError/Code/changed``).
    public var rewritten: [Rewrite] = []
    /// Dead letters to attempt again.
    ///
    /// They keep their position and their key. The attempts and the time for them are counted from
    /// zero.
    public var retried: [DeliveryID] = []
    /// Deliveries to give up, pending or dead.
    ///
    /// Entries that depend on their entry become dead letters.
    public var discarded: [DeliveryID] = []
    /// The dead letters that the decisions are based on, with their keys.
    ///
    /// If one is no longer a dead letter or has another key, another decision was made first. The
    /// whole commit then throws ``StoreError/Code/changed``.
    public var lookedAt: [DeliveryID: IdempotencyKey] = [:]
    /// Destinations to pause. Their lanes are not leased until they are resumed.
    ///
    /// A destination that is already paused keeps the time of its first pause. It gets the new
    /// reason, if there is one.
    public var paused: [PausedDestination: OutboxPause] = [:]
    /// Destinations to resume, after the pauses of this commit.
    public var resumed: Set<PausedDestination> = []
    /// Leases to give back.
    public var released: [Lease] = []

    /// Creates an empty commit.
    public init() {}

    /// Creates a commit of entities and entries.
    public init(
        entities: [EntityChange] = [], expecting: [EntityKey: StoreVersion] = [:], enqueued: [OutboxEntry]
    ) {
        self.entities = entities
        self.expecting = expecting
        self.enqueued = enqueued
    }
}

/// The outcome of a commit, and the deliveries that were dropped for it.
public struct CommitResult: Hashable, Sendable {
    /// Whether it was committed. Without ``Commit/expecting`` it is never a refusal.
    public var outcome: CommitOutcome
    /// The deliveries that delivery classes have dropped to make room.
    public var dropped: [DroppedDelivery] = []

    /// Creates a result.
    public init(dropped: [DroppedDelivery] = [], outcome: CommitOutcome = .committed([:])) {
        self.dropped = dropped
        self.outcome = outcome
    }
}

/// A delivery that was dropped by its class.
public struct DroppedDelivery: Hashable, Sendable {
    /// The reason of the drop.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// There were too many entries (``DeliveryClass/bounded(_:)``).
        case bounded
        /// Its time has expired.
        case expired
        /// A newer entry has replaced it.
        case replaced
    }

    /// The dropped delivery.
    public var delivery: DeliveryID
    /// The kind of its entry, by ``OutboxEntry/Kind/name``.
    public var kind: String
    /// The reason of the drop.
    public var reason: Reason

    /// Creates a record of a drop.
    public init(_ delivery: DeliveryID, kind: String, _ reason: Reason) {
        self.delivery = delivery
        self.kind = kind
        self.reason = reason
    }
}
