/// Keeps entities as rows of bytes, each by its key, with the fields that queries ask for.
///
/// To conform, hold these laws (`EntityStoreLaws` in `WharfCoreLaws` checks them):
///
/// - A commit is there as a whole or not at all, for every reader, also after a kill. Of two
///   changes of one key the later counts.
/// - A row comes back as it was put: bytes, schema, time and fields.
/// - A query answers what ``RowQuery/answer(_:id:fields:)`` does, of one account and kind.
/// - ``changes(of:kind:)`` misses nothing: a reader that subscribes first and reads then hears of
///   every commit that the read did not see, by any process. The store's own commits are told
///   before ``commit(_:expecting:)`` returns.
/// - Nothing of one account is ever seen under another, and nil is an account of its own.
///
/// ```swift
/// let changes = store.changes(of: account, kind: "note")      // first
/// var rows = try await store.rows(RowQuery(), of: account, kind: "note")
/// for await change in changes {
///     rows = try await store.rows(RowQuery(), of: account, kind: "note")
/// }
/// ```
///
/// ## Versions
///
/// The store orders the commits of each account by a ``StoreVersion``:
///
/// - Each commit that changes entities of an account gets the account's next number. The numbers
///   are dense and in the order of the commits. A commit to several accounts gets one number of
///   each.
/// - A row carries the version of the commit that put it. A removal leaves a tombstone with its
///   version, also if the key had no row.
/// - Tombstones are bounded per account; each store documents its bound. To prune one raises the
///   account's floor to its version, or higher. A key without a row and a tombstone has the floor
///   as its version.
/// - A purge (``removeAll(of:)``) gets a number too. It removes rows and tombstones, and the floor
///   becomes its version, so that every earlier expectation about an absent key is refused.
/// - Versions of one account say nothing of another account, and a purge does not set them back.
///
/// A commit can name the versions that it was computed from (optimistic concurrency). If the store
/// has moved on, the commit is refused with the current states, and can be computed again from
/// these:
///
/// ```swift
/// var states = try await store.states(of: [key]).states
/// while true {
///     let change = EntityChange.put(edited(states[key]?.row))
///     let outcome = try await store.commit([change], expecting: states.mapValues(\.version))
///     guard case .refused(let current) = outcome else { break }
///     states = current
/// }
/// ```
///
/// A key's state never returns to an earlier version. So an expectation that holds proves that the
/// key was not changed since it was read, and a late answer can't bring back an entity that was
/// removed meanwhile. After a tombstone was pruned the expectation of a key that was never changed
/// may be refused as well: the reader looks again.
///
/// ## A store on a database of several servers
///
/// The numbers need no lock around all writers. With PostgreSQL:
///
/// - A table `account (name, version, floor, …)` has one row per account. A transaction locks the
///   rows of its accounts one after the other, in the order of their names (or two transactions
///   deadlock). It draws the number: `UPDATE account SET version = version + 1 WHERE name = $1
///   RETURNING version`. An account of which it only expects something is locked by `FOR SHARE`.
/// - Draw the number as late in the transaction as possible. The row's lock serialises the
///   account's writers until the commit: first compute and send everything else.
/// - Behind that lock check the expectations (`SELECT key, version …`), write rows and tombstones
///   with the number, and commit. Use READ COMMITTED: its next statement sees the commit of the
///   lock's last holder. A snapshot that is older than the lock would let a stale expectation pass.
/// - A refused transaction rolls back, which gives the number back: so numbers stay dense. A
///   sequence would not: it is drawn before the commit order is known, and aborts leave gaps.
/// - A snapshot that sees `version = n` sees every row of the commits up to n, as they have held
///   the same lock one after the other. So the log is `WHERE account = $1 AND version > $2` over
///   rows and tombstones, read in the same snapshot as `account.version`.
/// - The removal of an account keeps its row, or a hash of its name with the number.
/// - A global counter would be one hot row for all accounts, and costs most of the commits per
///   second. A hot account is serial: batch its writes.
/// - Wake readers by polling `account.version`; a NOTIFY per commit serialises the commits.
public protocol EntityStore: Sendable {
    /// Reads one row; nil if the key has none.
    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow?

    /// The rows of these keys, as they were at one moment; a key that has none is left out.
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow]

    /// Answers a query of one account and kind.
    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow]

    /// Reads the states of these keys and the versions of their accounts, of one moment.
    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates

    /// Answers a query with the versions of the rows and of the account, of one moment.
    func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList

    /// Carries out all changes in order, unless the store has moved on from what is expected.
    ///
    /// - Parameter expected: the versions that the changes were computed from. Keys that are not
    ///   changed may be among them. Empty for a commit without a condition.
    /// - Returns: the versions that the commit got, or the current states of the keys that differ
    ///   from what is expected. Nothing was written then.
    @discardableResult
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome

    /// Removes all rows and tombstones of an account.
    ///
    /// - Returns: the version of the purge, which is the account's floor from now on.
    @discardableResult
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion

    /// Subscribes to the changes of one account and kind, at the call.
    func changes(of account: Account?, kind: String) -> EntityChanges

    /// Follows the commits of an account after a version: without a gap, whatever process makes
    /// them.
    ///
    /// It resumes at any version from the floor on. From an earlier one, or one that the store
    /// never reached, the first element is ``EntityFeed/Element/everything(reached:)``; so it may
    /// be from ``StoreVersion/none``. A store's own commits are told before
    /// ``commit(_:expecting:)`` returns.
    ///
    /// - Parameter version: the reader has heard of every commit up to here.
    func changes(of account: Account?, since version: StoreVersion) -> EntityFeed
}

extension EntityStore {
    /// Carries out all changes in order, without a condition.
    public func commit(_ changes: [EntityChange]) async throws(StoreError) {
        _ = try await commit(changes, expecting: [:])
    }

    /// Reads the state of one key.
    public func state(of key: EntityKey) async throws(StoreError) -> EntityState {
        try await states(of: [key])[key] ?? EntityState(row: nil, version: .none)
    }
}
