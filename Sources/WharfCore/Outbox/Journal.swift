/// Keeps entries until they are delivered everywhere, and hands out their lanes to who delivers
/// them.
///
/// Each entry has one delivery for each of its targets; those of one lane and destination are a
/// row, of which only the first can be leased.
///
/// To conform, hold these laws (`JournalLaws` in `WharfCoreLaws` checks them, with those of
/// ``WriteStore``):
///
/// - Of a lane and destination deliveries come in the order in which their entries were committed,
///   from the first that is not settled. What is set aside, dropped or discarded holds nobody up; a
///   retry does.
/// - A lane is due when its first delivery is: its time has come, each entry that it depends on is
///   delivered everywhere, its kind was asked for, its destination is not paused, and the batch is
///   full or has waited. A lane that is leased is not due until the lease has ended.
/// - A pause names a destination of one account (``PausedDestination``), and lasts until it is
///   resumed or the account is removed. It ends no lease: a lane that is leased when its
///   destination is paused is settled as any other. The pause of a destination that is paused
///   already keeps the time of the first one.
/// - A lease ends when it is given back, when its time has run out by the store's clock, and when
///   its owner is found dead. The journal looks for dead owners at each ``lease(_:)``. It never
///   takes an owner that lives for a dead one. See ``Lease``.
/// - What was never attempted has no time to wait for but its batch's and its conditions', wherever
///   the clock was set since it came. A batch whose first entry came later than now has waited, and
///   so has what was attempted last later than now: it was so before the clock was set back.
/// - A condition of time is met when its time has come, and where its entry came more than a minute
///   later than now: before the clock was set back.
/// - Lanes that have been due longest come first, and of equals that whose first entry was
///   committed first.
/// - What has expired is dropped when its lane is leased, and not handed out.
/// - Ids that could not be put into an entry when they came are owed to it, and handed out with it
///   until a rewrite says that it has them. An entry that comes after what it depends on is owed
///   what came with that; a dead letter at once where that was durable and discarded. One of
///   another class may be dropped at any time, and nobody remembers it, nor one that a person has
///   discarded: who comes later and depends on it is delivered.
/// - To remove an account (``EntityStore/removeAll(of:)``) removes its entries, and what comes with
///   their deliveries later is not kept.
/// - A journal may forget what it remembers of entries that are gone, the oldest first. Who comes
///   later and depends on one that is not newer than any of these of its own account, and of which
///   nothing is known, is a dead letter (``DeliveryFailure/Code/dependencyForgotten``). So is who
///   depends on an entry of which some ids are forgotten and others have come since. Newer is what
///   sorts after, as ids of later moments do. So where an entry is forgotten whose id a clock made
///   that was ahead, all others of the account count as older until that time has come, or the
///   account is removed.
/// - An entry is there until each of its deliveries is delivered, dropped, discarded or not needed
///   any more.
public protocol Journal: Sendable {
    /// Takes hold of lanes that are due.
    ///
    /// A journal on a full disk may hold them in memory (``Leased/isInMemory``). Such a lease keeps
    /// out the other engines of its process, and no other process.
    func lease(_ request: LeaseRequest) async throws(StoreError) -> Leased

    /// Extends leases, for a duration from now on by the store's clock.
    ///
    /// - Returns: the leases that are still held. The others have run out, and their lanes may have
    ///   passed to another owner.
    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease>

    /// Tells when the next lane is due that is not due now, and when the next lease runs out.
    ///
    /// Destinations that are paused have neither.
    ///
    /// The death of an owner ends a lease before that. It is told by ``news()``.
    ///
    /// - Parameter request: of which only account, routes and now count. Deliveries are looked for
    ///   after its `now`.
    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue

    /// Those that depend on an entry and were never attempted anywhere.
    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry]

    /// Ids that receivers have given in the place of temporary ones, as far as they are remembered.
    func assignedIDs(for temporary: Set<String>, of account: Account?) async throws(StoreError) -> [String: String]

    /// nil where it is settled, or never was here.
    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord?

    /// In the order of their commits.
    ///
    /// - Parameters:
    ///   - kind: by ``OutboxEntry/Kind/name``; nil for all.
    ///   - after: the last of the page before. Where it is gone, it goes on behind that with the
    ///     greatest id before its own, as ids of earlier moments are less; where our journals would
    ///     pass over more than 1,000 entries of other accounts for that, only as far as clocks went
    ///     right.
    /// - Complexity: what is answered, and a look at each kind of the account; not what else is
    ///   there.
    func records(
        of account: Account?, kind: String?, after: OutboxEntry.ID?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord]

    /// The oldest first.
    ///
    /// - Parameter after: the last of the page before.
    func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter]

    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts

    /// When the oldest entry was enqueued that is still to be delivered, for each destination that
    /// has one.
    ///
    /// It is the first of its lane. Dead letters don't count, nor do entries that wait for a
    /// condition of their target.
    ///
    /// - Complexity: a look at each lane of the account.
    func oldestPending(of account: Account?) async throws(StoreError) -> [String: WallTime]

    /// Tells when something may have become due or an entry was rewritten; the subscription has
    /// begun at return.
    ///
    /// That is after commits of any process, and when an owner of leases is found dead. A process
    /// that shows pending changes reads a rewritten entry again.
    ///
    /// A journal that several processes share looks for these about once a second. So a process
    /// that waits for the lane of a killed one goes on within that time.
    func news() -> AsyncStream<Void>
}

extension Journal {
    /// Those of all kinds.
    public func records(
        of account: Account?, after: OutboxEntry.ID?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await records(of: account, kind: nil, after: after, limit: limit)
    }
}

/// What was handed out, and what was dropped at that.
public struct Leased: Hashable, Sendable {
    public var lanes: [LeasedLane] = []
    public var expired: [DroppedDelivery] = []
    /// Whether the disk had no room for the leases, so that only the opened store knows of them.
    ///
    /// Another process may lease the same lanes meanwhile, and send the same entries under the same
    /// keys.
    public var isInMemory: Bool

    public init(lanes: [LeasedLane] = [], expired: [DroppedDelivery] = [], isInMemory: Bool = false) {
        self.lanes = lanes
        self.expired = expired
        self.isInMemory = isInMemory
    }
}

/// A store whose entities and journal share a transaction.
///
/// ```swift
/// try await store.commit(Commit(entities: [.put(row)], enqueued: [entry]))      // both, or neither
/// ```
///
/// - A commit is there as a whole or not at all, for every reader, also after a kill.
/// - A commit whose ``Commit/expecting`` does not hold is refused as a value, with nothing carried
///   out.
public protocol WriteStore: EntityStore, Journal {
    @discardableResult
    func commit(_ commit: Commit) async throws(StoreError) -> Committed
}

/// What our journals remember for entries that come late.
package enum JournalMemory {
    /// So many ids that receivers gave, and as many discarded entries: some 25 MB each on a disk.
    package static let size = 100_000
}
