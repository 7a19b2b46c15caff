/// What becomes of one delivery, after an attempt.
public struct Settlement: Hashable, Sendable {
    public enum Verdict: Hashable, Sendable {
        case delivered
        /// It stays at the head of its lane.
        case retry(at: WallTime, DeliveryFailure)
        /// Set aside: a dead letter. The lane goes on without it.
        case dead(DeliveryFailure)
        /// The same, with what the receiver has.
        case conflict(DeliveryFailure, theirs: [UInt8]?)
    }

    public var delivery: DeliveryID
    /// Under which it was attempted. Where the lane has passed to another holder meanwhile, only
    /// ``Verdict/delivered`` is taken.
    public var lease: Lease
    public var verdict: Verdict
    /// Those that count, this one included where it does: more than before mean that it counts.
    public var attempts: Int
    /// When this attempt began.
    public var attemptedAt: WallTime

    public init(
        _ delivery: DeliveryID, under lease: Lease, _ verdict: Verdict, attempts: Int, attemptedAt: WallTime
    ) {
        self.delivery = delivery
        self.lease = lease
        self.verdict = verdict
        self.attempts = attempts
        self.attemptedAt = attemptedAt
    }
}

/// Other bytes for an entry.
///
/// The whole commit throws ``StoreError/Code/changed`` where the entry is not here any more, is on
/// its way after the commit's settlements, or was attempted and keeps its key; or where the entry
/// is owed other ids than it says, or has another payload than ``expected``.
public struct Rewrite: Hashable, Sendable {
    public var entry: OutboxEntry.ID
    public var payload: [UInt8]
    /// The payload that the new one was made from; nil replaces any.
    ///
    /// Compare-and-set: of two processes that put a change into one entry, the second is refused.
    public var expected: [UInt8]?
    /// nil keeps it: only for what was never attempted. Under a new one also what was.
    public var key: IdempotencyKey?
    /// What the change is made on now, where that is another as well.
    public var base: [UInt8]?
    /// What the entry was owed (``PendingDelivery/owed``) and has now. It may be on its way then,
    /// and keeps its key: nobody has sent it without these ids.
    public var owed: [String: String]

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

/// Ids that a receiver gave in the place of temporary ones, with the delivery that they came with.
public struct IDAssignment: Hashable, Sendable {
    public var entry: OutboxEntry.ID
    /// By the temporary ones.
    public var ids: [String: String]
    /// Those that depend on the entry and were never attempted, as they were seen, and are
    /// rewritten. Where others have come since, the whole commit throws
    /// ``StoreError/Code/changed``.
    public var dependents: Set<OutboxEntry.ID>
    /// Those of them that nobody here can rewrite: the ids are owed to them.
    public var owed: Set<OutboxEntry.ID>

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
    /// Another process has rewritten an entry since its payload was read.
    package static func rewritten(_ entry: OutboxEntry.ID) -> StoreError {
        StoreError(
            .changed,
            message: "expected the payload of \(entry) as it was read, but it was rewritten since; read the entry again"
        )
    }
}
