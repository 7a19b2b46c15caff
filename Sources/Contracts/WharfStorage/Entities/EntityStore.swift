public import WharfCore

/// A store of entities: rows of bytes under keys, with fields for queries.
///
/// To conform, keep these laws (`EntityStoreLaws` in `WharfCoreLaws` checks them):
///
/// - A commit is atomic for every reader, even if the process is killed. If a commit changes a key
///   twice, the later change counts.
/// - A row is read as it was put: bytes, schema, time and fields.
/// - A query has the answer of ``RowQuery/answer(_:id:fields:)`` for one account and kind.
/// - ``changes(of:kind:since:)`` misses nothing. A reader that subscribes first and then reads is
///   told of every commit that the read did not see, by any process. The store reports its own
///   commits before ``commit(_:expecting:)`` returns.
/// - The data of one account is never visible under another. nil is an account of its own.
///
/// ```swift
/// let changes = store.changes(of: account, kind: "note", since: nil)      // first
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
///   are dense and in the order of the commits. A commit to several accounts gets one number per
///   account.
/// - A row has the version of the commit that put it. A removal leaves a tombstone with its
///   version, even if the key had no row.
/// - The number of tombstones per account is bounded; each store documents its bound. Pruning a
///   tombstone raises the account's floor at least to its version. A key with neither a row nor a
///   tombstone has the floor as its version.
/// - A purge (``removeAll(of:)``) gets a number too. It removes rows and tombstones, and the floor
///   becomes its version. Every earlier expectation about an absent key is therefore refused.
/// - Versions of different accounts are unrelated. A purge does not reset the versions.
///
/// A commit can name the versions that it was computed from (optimistic concurrency). If one of
/// them is outdated, the commit is refused with the current states. The caller computes it again
/// from these:
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
/// A key's state never returns to an earlier version. An expectation that holds therefore proves
/// that the key was not changed since it was read. A late answer can't bring back an entity that
/// was removed in the meantime. After a tombstone is pruned, the expectation of a key that never
/// changed may be refused as well, and the reader must read again.
///
/// ## A store on a database of several servers
///
/// The numbers need no lock around all writers. With PostgreSQL:
///
/// - A table `account (name, version, floor, …)` has one row per account. A transaction locks the
///   rows of its accounts one after the other, in the order of their names; otherwise two
///   transactions deadlock. It draws the number:
///   `UPDATE account SET version = version + 1 WHERE name = $1 RETURNING version`. An account that
///   has only expectations is locked by `FOR SHARE`.
/// - Draw the number as late in the transaction as possible. The row's lock serialises the
///   account's writers until the commit, so first compute and send everything else.
/// - Under that lock, check the expectations (`SELECT key, version …`), write rows and tombstones
///   with the number, and commit. Use READ COMMITTED, where the next statement sees the commit of
///   the lock's last holder. A snapshot that is older than the lock would let a stale expectation
///   pass.
/// - A refused transaction rolls back and gives the number back, so the numbers stay dense. A
///   sequence would leave gaps after aborts, and its order can differ from the order of the
///   commits.
/// - A snapshot that sees `version = n` sees every row of the commits up to n, because they have
///   held the same lock one after the other. The log is therefore
///   `WHERE account = $1 AND version > $2` over rows and tombstones, read in the same snapshot as
///   `account.version`.
/// - The removal of an account keeps its row, or a hash of its name with the number.
/// - A global counter would be one hot row for all accounts, and would cost most of the commits per
///   second. Writes to one account are serial, so batch the writes of a hot account.
/// - Wake readers by polling `account.version`. A NOTIFY per commit serialises the commits.
public protocol EntityStore: Sendable {
    /// Returns one row; nil if the key has none.
    func row(_ key: EntityKey) async throws(StoreError) -> EntityRow?

    /// Returns the rows of these keys at one moment. Keys without a row are left out.
    func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow]

    /// Answers a query of one account and kind.
    func rows(_ query: RowQuery, of account: Account?, kind: String) async throws(StoreError) -> [EntityRow]

    /// Returns the states of keys and the versions of their accounts at one moment.
    func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates

    /// Answers a query with the versions of the rows and of the account at one moment.
    func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList

    /// Commits all changes in order, unless an expected version is outdated.
    ///
    /// - Parameter expected: the versions that the changes were computed from; empty for an
    ///   unconditional commit. It may have keys that are not changed.
    /// - Returns: the versions that the commit got. If it was refused, the current states of the
    ///   keys that differ from the expectation; nothing was written then.
    @discardableResult
    func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome

    /// Removes all rows and tombstones of an account.
    ///
    /// - Returns: the version of the purge, which is the account's floor from now on.
    @discardableResult
    func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion

    /// Returns the commits of an account after a version, without a gap.
    ///
    /// They include the commits of other processes.
    ///
    /// A feed can resume at any version from the floor on. After an earlier version, or one that
    /// the store never reached, the first element is ``EntityFeed/Element/everything(reached:)``.
    /// This may be the case after ``StoreVersion/none``. The store reports its own commits before
    /// ``commit(_:expecting:)`` returns.
    ///
    /// - Parameters:
    ///   - kind: the kind of the changed keys; nil for all kinds.
    ///   - version: the version up to which the reader knows every commit; nil for the commits
    ///     from this call on.
    func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed
}

extension EntityStore {
    /// Commits all changes in order, without a condition.
    public func commit(_ changes: [EntityChange]) async throws(StoreError) {
        _ = try await commit(changes, expecting: [:])
    }

    /// Returns the commits of an account after a version, with the changes of all kinds.
    public func changes(of account: Account?, since version: StoreVersion) -> EntityFeed {
        changes(of: account, kind: nil, since: version)
    }

    /// Returns the state of one key.
    public func state(of key: EntityKey) async throws(StoreError) -> EntityState {
        try await states(of: [key])[key] ?? EntityState(row: nil, version: .none)
    }
}
