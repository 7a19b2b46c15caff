internal import Synchronization
public import WharfCore
internal import WharfPrimitives

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
    /// Whether no commit is left to be finished.
    private let isSettled = Mutex(false)
    private let tombstones: Int
    /// The versions of the loaded accounts.
    ///
    /// The table is changed only with `turns` held, after the key-value store was changed.
    let table = Mutex(VersionedTable<Void>(bound: .max))
    private let subscriptions = EntitySubscriptions()
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
            let versions = table.withLock { table in
                Dictionary(uniqueKeysWithValues: accounts.map { ($0, table.version(of: $0).next) })
            }
            // Reported even after an error, because the commit may have been applied.
            defer { subscriptions.tell(changes.lazy.map(\.key), at: versions) }
            try await carryOut(CommitIntent(changes, at: versions, names: names))
            table.withLock { table in
                for account in accounts { _ = table.draw(for: account) }
                for change in changes {
                    let isRemoval = if case .remove = change { true } else { false }
                    table.set(isRemoval ? nil : (), for: change.key, at: versions[change.key.account] ?? .none)
                }
            }
            feeds.tell(changes, versions)
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
            defer { subscriptions.tellAll(of: account, at: version) }
            let mark = (names.version(of: account), Optional(AccountBytes.encoded(version: version, floor: version)))
            try await carryOut(CommitIntent([mark] + removed.map { ($0, nil) }))
            _ = table.withLock { $0.removeAll(of: account) }
            feeds.tellAll(of: account, at: version)
            return version
        }
    }

    public func changes(of account: Account?, kind: String) -> EntityChanges {
        subscriptions.subscribe(to: account, kind: kind)
    }

    public func changes(of account: Account?, since version: StoreVersion) -> EntityFeed {
        feeds.subscribe(to: account, since: version) { [weak self] (version) throws(StoreError) in
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
        isSettled.withLock { $0 = false }
        // A single set is atomic and needs no intent.
        if intent.writes.count == 1 {
            try await store.set(only.value, for: only.name)
            return isSettled.withLock { $0 = true }
        }
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
        try await store.set(nil, for: names.intent)
        isSettled.withLock { $0 = true }
    }

    /// Finishes a commit that was recorded before a kill or an error.
    private func settle() async throws(StoreError) {
        if isSettled.withLock({ $0 }) { return }
        // It is unknown whether the last commit was applied, so the versions are read again.
        table.withLock { $0 = VersionedTable(bound: .max) }
        let recorded = try await store.value(for: names.intent)
        if let bytes = recorded {
            guard let intent = CommitIntent(bytes) else {
                throw undecodable("a recorded commit", names.intent, bytes)
            }
            try await finish(intent)
            subscriptions.tellDoubt()
        }
        isSettled.withLock { $0 = true }
        feeds.lookAgain()
    }

    /// Prunes the oldest tombstones above the bound.
    ///
    /// The commit is already made. If pruning fails, the next commit tries again.
    private func prune(_ account: Account?) async {
        var pruned = table.withLock { $0 }
        guard pruned.tombstoneCount(of: account) > tombstones + tombstones / 4 else { return }
        let keys = pruned.prune(account, to: tombstones)
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
