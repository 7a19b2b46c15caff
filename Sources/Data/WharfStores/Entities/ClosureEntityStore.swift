public import WharfCore
internal import WharfPrimitives
public import WharfStorage

/// An entity store made of closures, for an app's own stack such as Core Data.
///
/// ```swift
/// let reporter = EntityChangeReporter()
/// let entities = ClosureEntityStore(reporter: reporter) { account, kind in
///     try await stack.rows(of: account, kind: kind)
/// } commit: { changes in
///     try await stack.save(changes)                         // in one transaction
/// } removeAll: { account in
///     try await stack.deleteAll(of: account)
/// }
/// // What the stack changes by itself, or another process:
/// for await _ in notifications { reporter.tellAll { _ in true } }
/// ```
///
/// Versions live in memory beside the stack, for as long as the store and its copies do:
///
/// - Expectations and feeds of an earlier store are invalid. From ``WharfCore/StoreVersion/none``
///   the first element of a feed is always ``WharfCore/EntityFeed/Element/everything(reached:)``.
/// - Each account keeps the versions of the 10,000 keys that have changed last.
/// - A change that the stack makes by itself gets a version when the app reports it. A commit of
///   the store between the change and the report does not see it.
/// - Commits, and reads with versions, wait for one another. The closures must not call the store,
///   or they deadlock.
///
/// `EntityStoreLaws` in `WharfCoreLaws` checks whether the closures keep the contract. Other errors
/// than ``WharfCore/StoreError`` are thrown as ``WharfCore/StoreError/Code/failed`` with their
/// cause.
public struct ClosureEntityStore: EntityStore {
    /// Returns all rows of an account and kind, in any order.
    public typealias AllRows = @Sendable (_ account: Account?, _ kind: String) async throws -> [EntityRow]
    /// Returns the row of a key; nil if it has none.
    public typealias Row = @Sendable (EntityKey) async throws -> EntityRow?
    /// Returns the rows of several keys, read at one moment.
    public typealias Rows = @Sendable ([EntityKey]) async throws -> [EntityRow]
    /// Returns the rows that match a query.
    public typealias Query = @Sendable (RowQuery, _ account: Account?, _ kind: String) async throws -> [EntityRow]
    /// Applies changes in one transaction.
    public typealias Commit = @Sendable ([EntityChange]) async throws -> Void
    /// Removes the rows of an account.
    public typealias RemoveAll = @Sendable (Account?) async throws -> Void

    private let reporter: EntityChangeReporter
    // The stack has no versions, so they are here. `versions.turns` makes a commit and its version
    // one step for all other commits and versioned reads.
    private let versions: ClosureVersions
    private let readRow: Row
    private let readRows: Rows
    private let answer: Query
    private let carryOut: Commit
    private let purge: RemoveAll

    /// The reads that the app's stack answers faster than by a search through all rows.
    public struct Configuration: Sendable {
        /// Returns one row by its key; nil to find it among all rows of its kind.
        public var row: Row?
        /// Returns the rows of several keys, read at one moment.
        ///
        /// nil to find them among all rows of their kinds.
        public var rows: Rows?
        /// Returns rows as ``WharfCore/RowQuery/answer(_:id:fields:)`` would answer.
        ///
        /// nil to apply that to all rows of the kind.
        public var query: Query?

        /// Creates a configuration.
        public init(row: Row? = nil, rows: Rows? = nil, query: Query? = nil) {
            self.row = row
            self.rows = rows
            self.query = query
        }
    }

    /// Creates a store from closures.
    ///
    /// - Parameters:
    ///   - reporter: reports changes made outside this store, which gives them new versions. The
    ///     store reports its own commits itself.
    ///   - configuration: the reads that need no search through all rows.
    ///   - allRows: the rows of one account and kind in any order.
    ///   - commit: applies all changes in order, or throws with none applied.
    ///   - removeAll: removes the rows of one account, of every kind.
    public init(
        reporter: EntityChangeReporter = EntityChangeReporter(), configuration: Configuration = Configuration(),
        allRows: @escaping AllRows, commit: @escaping Commit, removeAll: @escaping RemoveAll
    ) {
        self.init(
            reporter: reporter, configuration: configuration, allRows: allRows, commit: commit,
            removeAll: removeAll, tombstones: EntityTombstones.bound)
    }

    /// - Parameter tombstones: how many keys of each account keep their versions.
    package init(
        reporter: EntityChangeReporter = EntityChangeReporter(), configuration: Configuration = Configuration(),
        allRows: @escaping AllRows, commit: @escaping Commit, removeAll: @escaping RemoveAll, tombstones: Int
    ) {
        self.reporter = reporter
        versions = ClosureVersions(hearing: reporter, bound: tombstones)
        readRow = configuration.row ?? { key in try await allRows(key.account, key.kind).first { $0.key == key } }
        readRows =
            configuration.rows ?? { keys in
                var found: [EntityRow] = []
                for (scope, keys) in Dictionary(grouping: keys, by: \.scope) {
                    let wanted = Set(keys)
                    found += try await allRows(scope.account, scope.kind).filter { wanted.contains($0.key) }
                }
                return found
            }
        answer =
            configuration.query ?? { query, account, kind in
                query.answer(try await allRows(account, kind), id: { $0.key.id }, fields: { $0.fields })
            }
        carryOut = commit
        purge = removeAll
    }

    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        do { return try await readRow(key) } catch { throw Self.failure(error, "read a row") }
    }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        do {
            // An app's closure may return a row twice.
            return Dictionary(try await readRows(keys).map { ($0.key, $0) }) { first, _ in first }
        } catch {
            throw Self.failure(error, "read rows")
        }
    }

    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        do { return try await answer(query, account, kind) } catch { throw Self.failure(error, "read rows") }
    }

    public func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await versions.turns.withLock { () async throws(StoreError) in
            // Versions are read before the rows. A change reported in between then makes them too
            // old, and a commit is refused. In the other order the commit would be accepted and
            // overwrite that change.
            let marks = versions.versions(of: keys)
            let rows = try await rows(keys)
            var found = EntityStates(versions: marks.accounts)
            for (key, version) in marks.keys { found.states[key] = EntityState(row: rows[key], version: version) }
            return found
        }
    }

    public func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList {
        try await versions.turns.withLock { () async throws(StoreError) in
            // A copy of the table before the rows, for the reason given above.
            let table = versions.table(noting: account)
            let rows = try await rows(query, of: account, kind: kind)
            return EntityList(
                version: table.version(of: account),
                states: rows.map { EntityState(row: $0, version: table.entry($0.key).version) })
        }
    }

    @discardableResult
    public func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        // Held from the comparison to the version. Between them another commit could change an
        // expected key.
        let outcome = try await versions.turns.withLock { () async throws(StoreError) -> CommitOutcome in
            let differing = versions.differing(from: expected)
            if !differing.isEmpty {
                let rows = try await rows(differing.map(\.key))
                return .refused(
                    Dictionary(
                        uniqueKeysWithValues: differing.map {
                            ($0.key, EntityState(row: rows[$0.key], version: $0.value))
                        }))
            }
            // The stack first: after an error no version is drawn, and the old rows keep theirs.
            do { try await carryOut(changes) } catch { throw Self.failure(error, "commit") }
            return .committed(versions.committed(changes))
        }
        // After the mutex: another store of this reporter may be read at once. The own listener is
        // left out, or the commit would get a second version.
        if case .committed = outcome { reporter.tell(changes.map(\.key), from: versions.listener) }
        return outcome
    }

    @discardableResult
    public func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        let version = try await versions.turns.withLock { () async throws(StoreError) in
            do { try await purge(account) } catch { throw Self.failure(error, "remove an account's rows") }
            return versions.changedAll(of: account)
        }
        reporter.tellAll(from: versions.listener) { $0 == account }
        return version
    }

    public func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        versions.changes(of: account, kind: kind, since: version)
    }

    private static func failure(_ error: any Error, _ what: String) -> StoreError {
        if let error = error as? StoreError { return error }
        let code: StoreError.Code = error is CancellationError ? .cancelled : .failed
        return StoreError(code, message: "the app's own store could not \(what): \(error)", cause: error)
    }
}
