public import WharfCore

/// The result of one delivery after an attempt.
public struct Settlement: Hashable, Sendable {
    /// The new state of the delivery.
    public enum Outcome: Hashable, Sendable {
        /// The destination has the entry.
        case delivered
        /// It stays at the head of its lane until the next attempt.
        case retry(at: WallTime, DeliveryFailure)
        /// It becomes a dead letter, and the lane goes on without it.
        case dead(DeliveryFailure)
        /// It becomes a dead letter with the receiver's state.
        case conflict(DeliveryFailure, theirs: [UInt8]?)
    }

    /// The settled delivery.
    public var delivery: DeliveryID
    /// The lease under which the attempt was made.
    ///
    /// If another owner has leased the lane since, only ``Outcome/delivered`` has an effect.
    public var lease: Lease
    /// The result of the attempt.
    public var outcome: Outcome
    /// The number of counted attempts. This attempt counts if the number has grown.
    public var attempts: Int
    /// The start of this attempt.
    public var attemptedAt: WallTime

    /// Creates a settlement.
    public init(
        _ delivery: DeliveryID, under lease: Lease, _ outcome: Outcome, attempts: Int, attemptedAt: WallTime
    ) {
        self.delivery = delivery
        self.lease = lease
        self.outcome = outcome
        self.attempts = attempts
        self.attemptedAt = attemptedAt
    }
}

/// A new payload for an entry.
///
/// The whole commit throws ``StoreError/Code/changed`` in each of these cases:
///
/// - The entry is gone.
/// - It is in flight after the settlements of the commit.
/// - It was attempted and would keep its key.
/// - It is owed other ids than ``owed``.
/// - Its payload differs from ``expected``.
public struct Rewrite: Hashable, Sendable {
    /// The id of the entry.
    public var entry: OutboxEntry.ID
    /// The new payload.
    public var payload: [UInt8]
    /// The payload that the new one was made from; nil replaces any payload.
    ///
    /// It is a compare-and-set. If two processes put a change into one entry, the second is
    /// refused.
    public var expected: [UInt8]?
    /// The new key; nil keeps the old one.
    ///
    /// An entry that was attempted needs a new key.
    public var key: IdempotencyKey?
    /// The new base of the change; nil keeps the old one.
    public var base: [UInt8]?
    /// The ids that were owed (``PendingDelivery/owed``) and are in the new payload.
    ///
    /// With them the entry may be in flight and keeps its key, because it was never sent without
    /// these ids.
    public var owed: [String: String]

    /// Creates a rewrite.
    public init(
        _ entry: OutboxEntry.ID, payload: [UInt8], expecting expected: [UInt8]? = nil, key: IdempotencyKey? = nil,
        base: [UInt8]? = nil, owed: [String: String] = [:]
    ) {
        self.entry = entry
        self.payload = payload
        self.expected = expected
        self.key = key
        self.base = base
        self.owed = owed
    }
}

/// The ids that a receiver assigned to temporary ids in one delivery.
public struct IDAssignment: Hashable, Sendable {
    /// The entry whose delivery brought the ids.
    public var entry: OutboxEntry.ID
    /// The assigned ids, by the temporary ids.
    public var ids: [String: String]
    /// The entries that depend on the entry, were never attempted, and are rewritten.
    ///
    /// If others have been enqueued since they were read, the whole commit throws
    /// ``StoreError/Code/changed``.
    public var dependents: Set<OutboxEntry.ID>
    /// The dependents that this process can't rewrite. The ids are owed to them.
    public var owed: Set<OutboxEntry.ID>

    /// Creates an assignment.
    public init(
        _ entry: OutboxEntry.ID, ids: [String: String], dependents: Set<OutboxEntry.ID>,
        owed: Set<OutboxEntry.ID> = []
    ) {
        self.entry = entry
        self.ids = ids
        self.dependents = dependents
        self.owed = owed
    }
}

extension StoreError {
    /// Returns the error for an entry that another process rewrote after it was read.
    package static func rewritten(_ entry: OutboxEntry.ID) -> StoreError {
        StoreError(
            .changed,
            message: "the payload of \(entry) was rewritten after it was read; read the entry again"
        )
    }
}
