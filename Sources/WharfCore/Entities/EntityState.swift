/// The row under a key, and the version of the commit that made it so.
public struct EntityState: Hashable, Sendable {
    /// nil if the key has no row.
    public var row: EntityRow?
    /// The version of the commit that put the row or removed it.
    ///
    /// If the key has neither a row nor a tombstone, this is the account's floor: no tombstone that
    /// was pruned, and no purge, has a higher version.
    public var version: StoreVersion

    public init(row: EntityRow?, version: StoreVersion) {
        self.row = row
        self.version = version
    }
}

/// The states of several keys at one moment.
public struct EntityStates: Hashable, Sendable {
    /// The versions of the accounts of the keys.
    public var versions: [Account?: StoreVersion]
    /// The state of each key that was asked for.
    public var states: [EntityKey: EntityState]

    public init(versions: [Account?: StoreVersion] = [:], states: [EntityKey: EntityState] = [:]) {
        self.versions = versions
        self.states = states
    }

    /// The state of a key; nil if the key was not asked for.
    public subscript(key: EntityKey) -> EntityState? { states[key] }

    /// The expectations of a commit that is computed from these states.
    public var expectations: [EntityKey: StoreVersion] { states.mapValues(\.version) }
}

/// The answer to a query, with versions.
public struct EntityList: Hashable, Sendable {
    /// The version of the account at the moment of the query.
    public var version: StoreVersion
    /// The states of the rows, in the order of the query. Each has a row.
    public var states: [EntityState]

    public init(version: StoreVersion, states: [EntityState]) {
        self.version = version
        self.states = states
    }
}

/// The outcome of a commit: its versions, or a refusal.
public enum CommitOutcome: Hashable, Sendable {
    /// The commit is in the store. It got one number of each account whose entities it changes.
    case committed([Account?: StoreVersion])
    /// The store has moved on and nothing was written: the current state of each key that differs
    /// from what was expected.
    case refused([EntityKey: EntityState])

    /// The version that the commit got; nil if it was refused or changes nothing of the account.
    public func version(of account: Account?) -> StoreVersion? {
        guard case .committed(let versions) = self else { return nil }
        return versions[account]
    }
}

extension EntityStates {
    /// The current states of the keys whose versions are not as expected.
    package func refusals(of expected: [EntityKey: StoreVersion]) -> [EntityKey: EntityState] {
        states.filter { key, state in expected[key].map { $0 != state.version } == true }
    }
}

/// The tombstones that our stores keep.
package enum EntityTombstones {
    /// So many of each account, the newest ones: about 1 MB on a disk.
    package static let bound = 10_000
}
