internal import WharfCore
internal import WharfStorage

/// Entities in memory with their versions and tombstones, as a value.
///
/// The versions are the log of the changes: ``changes(of:since:)`` examines each entity of the
/// account.
struct VersionedTable<Value: Sendable>: Sendable {
    struct Entry {
        /// The entity; nil for a tombstone, and for a key without a row.
        var value: Value?
        var version: StoreVersion
    }

    fileprivate struct AccountTable {
        var version = StoreVersion.none
        /// The version of keys without an entry. Invariant: not above `version`.
        var floor = StoreVersion.none
        /// The entries by ``WharfCore/EntityKey/scope``.
        var entries: [EntityKey: [EntityKey: Entry]] = [:]
        /// A queue of prunable entries, sorted by version.
        ///
        /// If an entry of `entries` has another version, it was changed since, and its queue
        /// element is stale.
        var prunable: [(version: StoreVersion, key: EntityKey)] = []
        /// The front of `prunable`. Invariant: the elements before it were pruned or are stale.
        var firstPrunable = 0
        /// The number of elements of `prunable` that are not stale.
        var prunableCount = 0
    }

    /// How many tombstones of an account are kept, the newest ones.
    let bound: Int
    /// Whether only the versions are here, and the entities elsewhere.
    ///
    /// Then live entries are pruned like tombstones.
    let isPartial: Bool
    // Invariants: versions of an account only grow. A key without an entry has the floor's version,
    // which is not below that of its last pruned entry.
    private var accounts: [Account?: AccountTable] = [:]

    init(bound: Int = EntityTombstones.bound, isPartial: Bool = false) {
        self.bound = bound
        self.isPartial = isPartial
    }

    // MARK: Reading

    func entry(_ key: EntityKey) -> Entry {
        guard let table = accounts[key.account] else { return Entry(value: nil, version: .none) }
        return table.entries[key.scope]?[key] ?? Entry(value: nil, version: table.floor)
    }

    func value(_ key: EntityKey) -> Value? { accounts[key.account]?.entries[key.scope]?[key]?.value }

    /// Returns the entries of a kind, including tombstones.
    func entries(of account: Account?, _ kind: String) -> [EntityKey: Entry] {
        accounts[account]?.entries[EntityKey(account: account, kind: kind, id: "")] ?? [:]
    }

    func version(of account: Account?) -> StoreVersion { accounts[account]?.version ?? .none }
    func floor(of account: Account?) -> StoreVersion { accounts[account]?.floor ?? .none }

    /// The accounts that have a table here.
    var knownAccounts: Set<Account?> { Set(accounts.keys) }

    func knows(_ account: Account?) -> Bool { accounts[account] != nil }

    /// The keys that differ from the expected versions.
    func differing(from expected: [EntityKey: StoreVersion]) -> [EntityKey] {
        expected.isEmpty ? [] : expected.keys.filter { entry($0).version != expected[$0] }
    }

    /// Returns the changes since a version; nil if there are none.
    ///
    /// - Complexity: O(n) in the entities of the account.
    func changes(of account: Account?, since version: StoreVersion) -> EntityFeed.Element? {
        let table = accounts[account] ?? AccountTable()
        // A version above the account's comes from an earlier instance of the store.
        // A partial table knows no key from before its creation, so a reader from the beginning
        // reads everything.
        if version < table.floor || version > table.version || isPartial && version == .none {
            return .everything(reached: table.version)
        }
        if version == table.version { return nil }
        var changes: [EntityKey: EntityFeed.Change] = [:]
        for (key, entry) in table.entries.values.joined() where entry.version > version {
            changes[key] = EntityFeed.Change(version: entry.version, isRemoval: entry.value == nil)
        }
        return .changes(changes, reached: table.version)
    }

    // MARK: Writing

    /// Applies the changes of one commit, all of one account.
    ///
    /// - Parameter changes: each with its new value; nil removes it.
    mutating func commit(_ changes: some Sequence<(EntityKey, Value?)>, of account: Account?) -> StoreVersion {
        accounts[account, default: AccountTable()].commit(changes, bound: bound, isPartial: isPartial)
    }

    /// Assigns the account's next version to a commit.
    mutating func draw(for account: Account?) -> StoreVersion {
        accounts[account, default: AccountTable()].draw()
    }

    /// - Parameters:
    ///   - value: nil removes it.
    ///   - version: the commit's version, from ``draw(for:)``.
    mutating func set(_ value: Value?, for key: EntityKey, at version: StoreVersion) {
        accounts[key.account, default: AccountTable()].set(
            Entry(value: value, version: version), for: key, bound: bound, isPartial: isPartial)
    }

    /// Removes everything of an account, as a commit with its own version.
    mutating func removeAll(of account: Account?) -> StoreVersion {
        var table = AccountTable()
        table.version = version(of: account).next
        // No entry is left. The floor refuses each expectation from before the removal.
        table.floor = table.version
        accounts[account] = table
        return table.version
    }

    /// Adds an account to ``knownAccounts``.
    mutating func note(_ account: Account?) {
        if accounts[account] == nil { accounts[account] = AccountTable() }
    }

    /// Forgets an account's table.
    mutating func unload(_ account: Account?) { accounts[account] = nil }

    /// Restores an account's table from another store.
    ///
    /// - Parameter entries: in any order.
    mutating func restore(
        _ account: Account?, version: StoreVersion, floor: StoreVersion, _ entries: [(EntityKey, Entry)]
    ) {
        var table = AccountTable()
        (table.version, table.floor) = (version, floor)
        // In the order of versions, as `prunable` requires.
        for (key, entry) in entries.sorted(by: { $0.1.version < $1.1.version }) {
            table.set(entry, for: key, bound: .max, isPartial: isPartial)
        }
        accounts[account] = table
    }

    /// Prunes the oldest tombstones of an account until `bound` are left.
    ///
    /// - Returns: their keys.
    mutating func prune(_ account: Account?, to bound: Int) -> [EntityKey] {
        accounts[account]?.prune(to: bound, isPartial: isPartial) ?? []
    }

    func tombstoneCount(of account: Account?) -> Int { accounts[account]?.prunableCount ?? 0 }
}

extension VersionedTable.AccountTable {
    mutating func draw() -> StoreVersion {
        version = version.next
        return version
    }

    mutating func commit(
        _ changes: some Sequence<(EntityKey, Value?)>, bound: Int, isPartial: Bool
    ) -> StoreVersion {
        version = version.next
        for (key, value) in changes {
            set(.init(value: value, version: version), for: key, bound: bound, isPartial: isPartial)
        }
        return version
    }

    /// Whether a queue element is current.
    ///
    /// A put after a removal in one commit has the removal's version, but is no tombstone.
    func counts(_ key: EntityKey, _ version: StoreVersion, isPartial: Bool) -> Bool {
        guard let entry = entries[key.scope]?[key] else { return false }
        return entry.version == version && (isPartial || entry.value == nil)
    }

    mutating func set(_ entry: VersionedTable.Entry, for key: EntityKey, bound: Int, isPartial: Bool) {
        let old = entries[key.scope, default: [:]].updateValue(entry, forKey: key)
        // The old entry's element in the queue is stale from now on, and no longer counts.
        if let old, isPartial || old.value == nil { prunableCount -= 1 }
        guard isPartial || entry.value == nil else { return }
        prunable.append((entry.version, key))
        prunableCount += 1
        _ = prune(to: bound, isPartial: isPartial)
    }

    mutating func prune(to bound: Int, isPartial: Bool) -> [EntityKey] {
        var pruned: [EntityKey] = []
        while prunableCount > bound {
            let (version, key) = prunable[firstPrunable]
            firstPrunable += 1
            guard counts(key, version, isPartial: isPartial) else { continue }
            pruned.append(key)
            entries[key.scope]?[key] = nil
            prunableCount -= 1
            // The key's version is the floor from now on, so the floor must not be lower.
            floor = max(floor, version)
        }
        // The queue is compacted when most of its elements are stale, which bounds its size.
        guard prunable.count > 2 * prunableCount + 64 else { return pruned }
        prunable = prunable[firstPrunable...].filter { counts($0.key, $0.version, isPartial: isPartial) }
        firstPrunable = 0
        return pruned
    }
}
