internal import Synchronization
public import WharfCore
internal import WharfPrimitives
public import WharfStorage

/// An entity store over any key-value store, for some hundred entities of a kind.
///
/// ```swift
/// let entities = KeyValueEntityStore(EncryptedKeyValueStore(files, key: key))
/// ```
///
/// - Each row is a value, and so is each tombstone. A commit of several is first written as one
///   value. If the process is killed, the next call finishes the commit from it. So the key-value
///   store needs only atomic sets.
/// - A commit that throws is applied as a whole or not at all; the next read shows which.
/// - Reads and commits wait for one another. A query reads every row of its kind.
/// - The newest 1,000 tombstones of each account are kept, and up to a quarter more.
/// - The first commit of an account, and the first read of it with versions, read all its rows
///   once.
/// - One entity store at a time may use the names under `prefix`. It does not see the commits of
///   another one.
public final class KeyValueEntityStore: EntityStore {
    let store: any KeyValueStore
    let names: EntityNames
    private let turns = AsyncMutex()
    private enum Settlement {
        /// An earlier store may have left a commit to be finished.
        case unopened
        /// No commit is left to be finished.
        case settled
        /// A commit of this store has begun, and its outcome is unknown.
        case unsettled
    }

    private let settlement = Mutex(Settlement.unopened)
    private let tombstones: Int
    /// The versions of the loaded accounts.
    ///
    /// The table is changed only with `turns` held, after the key-value store was changed.
    let table = Mutex(VersionedTable<Void>(bound: .max))
    private let feeds = EntityFeedReaders()

    /// Creates an entity store.
    ///
    /// - Parameter prefix: the prefix of all its names in the key-value store.
    public convenience init(_ store: any KeyValueStore, prefix: String = "entities/") {
        self.init(store, prefix: prefix, tombstones: 1_000)
    }

    /// - Parameter tombstones: how many tombstones of each account are kept.
    package init(_ store: any KeyValueStore, prefix: String = "entities/", tombstones: Int) {
        self.store = store
        self.tombstones = tombstones
        names = EntityNames(prefix: prefix)
    }

    /// - Throws: ``WharfCore/StoreError/Code/undecodable`` for a value that this version of Wharf
    ///   didn't write.
    public func row(_ key: EntityKey) async throws(StoreError) -> EntityRow? {
        try await turns.withLock { () async throws(StoreError) in
            // First of all: a commit that was recorded and not finished counts as made.
            try await settle()
            return try await row(key, under: names.of(key))
        }
    }

    public func rows(_ keys: [EntityKey]) async throws(StoreError) -> [EntityKey: EntityRow] {
        try await turns.withLock { () async throws(StoreError) -> [EntityKey: EntityRow] in
            try await settle()
            var rows: [EntityKey: EntityRow] = [:]
            for key in keys where rows[key] == nil { rows[key] = try await row(key, under: names.of(key)) }
            return rows
        }
    }

    /// - Complexity: a listing of the names, one read for each row of the kind, and a sort of the
    ///   matches.
    public func rows(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> [EntityRow] {
        try await turns.withLock { () async throws(StoreError) -> [EntityRow] in
            try await settle()
            return try await answer(query, of: account, kind: kind)
        }
    }

    public func states(of keys: [EntityKey]) async throws(StoreError) -> EntityStates {
        try await turns.withLock { () async throws(StoreError) -> EntityStates in
            try await settle()
            for account in Set(keys.map(\.account)) { try await load(account) }
            return try await current(keys)
        }
    }

    /// - Complexity: that of a query without versions.
    public func states(
        _ query: RowQuery, of account: Account?, kind: String
    ) async throws(StoreError) -> EntityList {
        try await turns.withLock { () async throws(StoreError) -> EntityList in
            try await settle()
            try await load(account)
            let rows = try await answer(query, of: account, kind: kind)
            // No commit can come between: `turns` is held.
            return table.withLock { table in
                EntityList(
                    version: table.version(of: account),
                    states: rows.map { EntityState(row: $0, version: table.entry($0.key).version) })
            }
        }
    }

    @discardableResult
    public func commit(
        _ changes: [EntityChange], expecting expected: [EntityKey: StoreVersion]
    ) async throws(StoreError) -> CommitOutcome {
        try await turns.withLock { () async throws(StoreError) -> CommitOutcome in
            try await settle()
            let accounts = Set(changes.map(\.key.account))
            for account in accounts.union(expected.keys.map(\.account)) { try await load(account) }
            let differing = table.withLock { $0.differing(from: expected) }
            guard differing.isEmpty else { return .refused(try await current(differing).states) }
            // Only computed here. If the commit fails, the number stays free.
            let versions = table.withLock { table in
                Dictionary(uniqueKeysWithValues: accounts.map { ($0, table.version(of: $0).next) })
            }
            try await carryOut(CommitIntent(changes, at: versions, names: names))
            // After the store has the commit. If it threw, `settle` reads the versions again.
            table.withLock { table in
                for account in accounts { _ = table.draw(for: account) }
                for change in changes {
                    let isRemoval = if case .remove = change { true } else { false }
                    table.set(isRemoval ? nil : (), for: change.key, at: versions[change.key.account] ?? .none)
                }
            }
            // Inside `turns`: feeds get commits in their order.
            feeds.tell(changes, versions)
            // After the commit, whose result it does not change.
            for account in accounts { await prune(account) }
            return .committed(versions)
        }
    }

    @discardableResult
    public func removeAll(of account: Account?) async throws(StoreError) -> StoreVersion {
        try await turns.withLock { () async throws(StoreError) -> StoreVersion in
            try await settle()
            try await load(account)
            let version = table.withLock { $0.version(of: account).next }
            let removed = try await store.keys(withPrefix: names.ofAccount(account))
            // The mark is part of the commit. Without it the account would begin again at version
            // 0, and numbers would be used twice.
            let mark = (names.version(of: account), Optional(AccountBytes.encoded(version: version, floor: version)))
            try await carryOut(CommitIntent([mark] + removed.map { ($0, nil) }))
            _ = table.withLock { $0.removeAll(of: account) }
            feeds.tellAll(of: account, at: version)
            return version
        }
    }

    public func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        feeds.subscribe(to: account, kind: kind, since: version) { [weak self] (version) throws(StoreError) in
            try await self?.log(of: account, since: version)
        }
    }

    private func log(of account: Account?, since version: StoreVersion) async throws(StoreError) -> EntityFeed.Element?
    {
        try await turns.withLock { () async throws(StoreError) -> EntityFeed.Element? in
            try await settle()
            try await load(account)
            return table.withLock { $0.changes(of: account, since: version) }
        }
    }
}

extension KeyValueEntityStore {
    private func carryOut(_ intent: CommitIntent) async throws(StoreError) {
        guard let only = intent.writes.first else { return }
        // Set before the store is touched. After a kill or an error the next call finds the commit
        // unsettled.
        settlement.withLock { $0 = .unsettled }
        // After an error the commit may have been applied, so feeds have to read the log.
        defer { if settlement.withLock({ $0 == .unsettled }) { feeds.lookAgain() } }
        // A single set is atomic and needs no intent.
        if intent.writes.count == 1 {
            try await store.set(only.value, for: only.name)
            return settlement.withLock { $0 = .settled }
        }
        // From here on the commit is made: a kill between two of the sets below is finished by the
        // next use.
        try await store.set(intent.encoded, for: names.intent)
        do throws(StoreError) {
            try await finish(intent)
        } catch {
            throw StoreError(
                error.code, message: "\(error.message); the commit is recorded and will be finished at the next use",
                cause: error)
        }
    }

    /// Applies a recorded commit. It is idempotent, so it can be repeated from its start.
    private func finish(_ intent: CommitIntent) async throws(StoreError) {
        for write in intent.writes { try await store.set(write.value, for: write.name) }
        // Last: while the intent is there, the commit can be repeated.
        try await store.set(nil, for: names.intent)
        settlement.withLock { $0 = .settled }
    }

    /// Finishes a commit that was recorded before a kill or an error.
    private func settle() async throws(StoreError) {
        let before = settlement.withLock { $0 }
        if before == .settled { return }
        // It is unknown whether the last commit was applied, so the versions are read again.
        table.withLock { $0 = VersionedTable(bound: .max) }
        let recorded = try await store.value(for: names.intent)
        if let bytes = recorded {
            guard let intent = CommitIntent(bytes) else {
                throw undecodable("a recorded commit", names.intent, bytes)
            }
            // A recorded commit goes before everything else, also before a commit of this call.
            try await finish(intent)
        }
        settlement.withLock { $0 = .settled }
        // Feeds were not told of this commit, or were told before it was complete. If a store is
        // opened and has nothing to finish, they miss nothing.
        if before == .unsettled || recorded != nil { feeds.lookAgain() }
    }

    /// Prunes the oldest tombstones above the bound.
    ///
    /// The commit is already made. If pruning fails, the next commit tries again.
    private func prune(_ account: Account?) async {
        // A copy: if the store refuses, the table stays as it is.
        var pruned = table.withLock { $0 }
        guard pruned.tombstoneCount(of: account) > tombstones + tombstones / 4 else { return }
        let keys = pruned.prune(account, to: tombstones)
        // The floor stands for the pruned tombstones. It must be in the store together with their
        // removal.
        let mark = AccountBytes.encoded(version: pruned.version(of: account), floor: pruned.floor(of: account))
        let writes = keys.map { (names.of($0), [UInt8]?.none) }
        do throws(StoreError) {
            try await carryOut(CommitIntent([(names.version(of: account), mark)] + writes))
            table.withLock { $0 = pruned }
        } catch {
            // Either the intent is recorded, and the next call settles it, or nothing was changed.
        }
    }
}
