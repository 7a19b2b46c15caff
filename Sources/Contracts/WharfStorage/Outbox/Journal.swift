public import WharfCore

/// A journal of entries, which leases their lanes to the engines that deliver them.
///
/// It keeps an entry until all its deliveries are settled. Each entry has one delivery per target.
/// The deliveries of one lane and destination form a queue, of which only the first can be leased.
///
/// To conform, keep these laws. `JournalLaws` in `WharfCoreLaws` checks them with those of
/// ``WriteStore``:
///
/// - Deliveries of a lane and destination are leased in the commit order of their entries, from the
///   first unsettled one on. A retry blocks the deliveries behind it. Dead letters and dropped or
///   discarded deliveries do not.
/// - A lane is due if its first delivery is. The delivery is due if its time has come, and each
///   entry that it depends on is delivered everywhere. Its kind must be requested and its
///   destination not paused. The batch must be full or have waited long enough. A leased lane is
///   not due until the lease ends.
/// - A pause applies to a destination of one account (``PausedDestination``). It lasts until it is
///   resumed or the account is removed. It does not end a lease: a lane that is already leased is
///   settled as any other. If the destination is already paused, the time of the first pause stays.
/// - A lease ends if it is given back, if its time runs out by the store's clock, or if its owner
///   is found dead. The journal looks for dead owners at each ``lease(_:)``. It never takes a
///   living owner for dead. See ``Lease``.
/// - A delivery that was never attempted waits only for its batch and its conditions, even if the
///   clock was changed since it was enqueued. If the first entry of a batch was enqueued later than
///   now, the clock was set back. The batch then counts as having waited. A retry whose last
///   attempt was later than now counts as having waited too.
/// - A condition of time is met when its time has come. It is met at once if its entry was enqueued
///   more than a minute later than now, because the clock was set back.
/// - Lanes that have been due longest are leased first. If two are equal, the lane whose first
///   entry was committed first is leased first.
/// - An expired delivery is dropped when its lane is leased. It is not handed out.
/// - Assigned ids that could not be put into an entry when they arrived are owed to it. They are
///   handed out with the entry until a rewrite says that it has them. An entry that is enqueued
///   after the delivery of its dependency is owed the ids that came with it.
/// - An entry that depends on a discarded durable entry becomes a dead letter at once. Entries of
///   other classes may be dropped at any time, and the journal does not remember them, even if a
///   person discarded them. A later entry that depends on one of them is delivered.
/// - The removal of an account (``EntityStore/removeAll(of:)``) removes its entries. Results that
///   come with their deliveries later are not kept.
/// - A journal may forget entries that are gone, the oldest first. A later entry may depend on an
///   id of which nothing is known. If that id does not sort after every forgotten id of its
///   account, the later entry becomes a dead letter (``DeliveryFailure/Code/dependencyForgotten``).
///   The same holds if some ids of the dependency are forgotten and others have arrived since.
/// - Ids of later times sort after those of earlier times. If a forgotten id was made by a clock
///   that was ahead, all other ids of the account count as older. This ends when that time has come
///   or the account is removed.
/// - An entry stays until each of its deliveries is delivered, dropped, discarded or not needed any
///   more.
public protocol Journal: Sendable {
    /// Leases lanes that are due.
    ///
    /// If the disk is full, a journal may hold the leases in memory (``LeaseResult/isInMemory``).
    /// Such a lease excludes the other engines of its process, but no other process.
    func lease(_ request: LeaseRequest) async throws(StoreError) -> LeaseResult

    /// Extends leases by a duration from now, by the store's clock.
    ///
    /// - Returns: the leases that are still held. The others have expired, and another owner may
    ///   have leased their lanes.
    func extend(_ leases: [Lease], for duration: Duration) async throws(StoreError) -> Set<Lease>

    /// Returns when the next lane becomes due, and when the next lease ends.
    ///
    /// Lanes that are due now and paused destinations are left out. The death of an owner may end a
    /// lease earlier; ``notifications()`` reports it.
    ///
    /// - Parameter request: only its account, routes and `now` are used. The result is later than
    ///   `now`.
    func nextDue(_ request: LeaseRequest) async throws(StoreError) -> NextDue

    /// Returns the entries that depend on an entry and were never attempted.
    func dependents(of entry: OutboxEntry.ID) async throws(StoreError) -> [OutboxEntry]

    /// Returns the ids that receivers have assigned to temporary ids.
    ///
    /// An id that the journal has forgotten is left out.
    func assignedIDs(for temporary: Set<String>, of account: Account?) async throws(StoreError) -> [String: String]

    /// Returns the state of an entry; nil if it is settled or was never in the journal.
    func record(of entry: OutboxEntry.ID) async throws(StoreError) -> OutboxRecord?

    /// Returns the entries of an account in the order of their commits.
    ///
    /// - Parameters:
    ///   - kind: the ``OutboxEntry/Kind/name``; nil for all kinds.
    ///   - after: the ``OutboxRecord/position`` of the last record of the previous page, whose
    ///     entry may be gone; nil for the first page. A reader that has read up to a position
    ///     misses no entry that is committed later, even if the ids come from clocks that differ.
    /// - Complexity: linear in the result and in the kinds of the account, independent of other
    ///   entries.
    func records(
        of account: Account?, kind: String?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord]

    /// Returns the dead letters of an account, the oldest first.
    ///
    /// - Parameter after: the last one of the previous page.
    func deadLetters(
        of account: Account?, after: DeliveryID?, limit: Int
    ) async throws(StoreError) -> [DeadLetter]

    /// Returns how many deliveries of an account are in which state.
    func counts(of account: Account?) async throws(StoreError) -> OutboxCounts

    /// Returns the enqueuing time of the oldest pending entry per destination.
    ///
    /// That entry is the first of its lane. Dead letters do not count, and neither do entries that
    /// wait for a condition of their target.
    ///
    /// - Complexity: linear in the lanes of the account.
    func oldestPending(of account: Account?) async throws(StoreError) -> [String: WallTime]

    /// Reports when a lane may have become due or an entry was rewritten.
    ///
    /// The subscription is active at once. It reports commits of any process and the death of an
    /// owner of leases. A process that shows pending changes must read a rewritten entry again.
    ///
    /// A journal that several processes share checks for these about once a second. A process that
    /// waits for the lane of a killed process therefore goes on within that time.
    func notifications() -> AsyncStream<Void>
}

extension Journal {
    /// Returns the entries of all kinds.
    public func records(
        of account: Account?, after: Int64?, limit: Int
    ) async throws(StoreError) -> [OutboxRecord] {
        try await records(of: account, kind: nil, after: after, limit: limit)
    }
}

/// The result of a lease request: the leased lanes and the dropped deliveries.
public struct LeaseResult: Hashable, Sendable {
    /// The leased lanes.
    public var lanes: [LeasedLane] = []
    /// Expired deliveries that were dropped.
    public var expired: [DroppedDelivery] = []
    /// Whether only the opened store has the leases, because the disk is full.
    ///
    /// Another process may lease the same lanes at the same time, and send the same entries with
    /// the same keys.
    public var isInMemory: Bool

    /// Creates a result.
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
/// - A commit is atomic for every reader, even if the process is killed.
/// - A commit whose ``Commit/expecting`` does not hold is refused by its result, and writes
///   nothing.
public protocol WriteStore: EntityStore, Journal {
    /// Commits all changes in one transaction, or none.
    @discardableResult
    func commit(_ commit: Commit) async throws(StoreError) -> CommitResult
}

/// The amount that the journals of Wharf remember for entries that come late.
package enum JournalRetention {
    /// The number of assigned ids and of discarded entries: some 25 MB each on disk.
    package static let size = 100_000
}
