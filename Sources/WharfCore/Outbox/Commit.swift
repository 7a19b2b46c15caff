/// Everything that one transaction does, as a value: so that a change of an entity and the entry that tells of it can't come
/// apart.
///
/// In this order: entities, settlements, assigned ids, rewrites, what people have decided, new entries, leases that are
/// given back.
///
/// What comes with deliveries (entities, ids, pauses) of an account that was removed while they were on their way is left out:
/// those settled under leases from before the removal. Ids are told by their entry, a pause by the failure of a settlement, rows
/// by their account alone: a commit that settles deliveries of one account from before its removal and from after it keeps no
/// rows of the account. A pause that only those tell of who have lost their leases does not count either, and rows that come with
/// no other deliveries of the account than such that somebody else has settled meanwhile take the place of none.
///
/// The commit gets a version of each account whose entities it changes (see ``EntityStore``), and
/// none for what it does to the journal alone.
public struct Commit: Hashable, Sendable {
    public var entities: [EntityChange] = []
    /// The versions that the commit was computed from. If one differs, nothing of the commit is
    /// carried out, and ``Committed/outcome`` has the current states. Checked before anything else.
    public var expecting: [EntityKey: StoreVersion] = [:]
    /// Each goes to the end of its lane, in this order. An id that is there already throws ``StoreError/Code/changed``.
    public var enqueued: [OutboxEntry] = []
    public var settled: [Settlement] = []
    public var assigned: [IDAssignment] = []
    /// One whose delivery is retried as well has to be a dead letter still; otherwise somebody else has decided
    /// (``StoreError/Code/changed``).
    public var rewritten: [Rewrite] = []
    /// Dead letters to be attempted again, in their old places, under the same key, with attempts and their time counted
    /// from zero.
    public var retried: [DeliveryID] = []
    /// Deliveries, waiting or dead, that are given up. What depends on their entry becomes a dead letter.
    public var discarded: [DeliveryID] = []
    /// Dead letters that were looked at before this was decided, by the keys of what was seen. Where one is none any more, or
    /// has another key, somebody else has decided: the whole commit throws ``StoreError/Code/changed``.
    public var lookedAt: [DeliveryID: IdempotencyKey] = [:]
    /// Accounts of which nothing is leased until they are resumed, and why.
    public var paused: [Account?: DeliveryFailure] = [:]
    public var resumed: Set<Account?> = []
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
