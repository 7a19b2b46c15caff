public import WharfCore

/// The row under a key, and the version of the commit that put or removed it.
public struct EntityState: Hashable, Sendable {
    /// The row; nil if the key has none.
    public var row: EntityRow?
    /// The version of the commit that put or removed the row.
    ///
    /// If the key has neither a row nor a tombstone, this is the account's floor. Pruned tombstones
    /// and purges have versions up to the floor.
    public var version: StoreVersion

    /// Creates a state.
    public init(row: EntityRow?, version: StoreVersion) {
        self.row = row
        self.version = version
    }
}

/// The states of several keys at one moment.
public struct EntityStates: Hashable, Sendable {
    /// The versions of the accounts of the keys.
    public var versions: [Account?: StoreVersion]
    /// The state of each requested key.
    public var states: [EntityKey: EntityState]

    /// Creates the states of one moment.
    public init(versions: [Account?: StoreVersion] = [:], states: [EntityKey: EntityState] = [:]) {
        self.versions = versions
        self.states = states
    }

    /// Returns the state of a key; nil if the key was not requested.
    public subscript(key: EntityKey) -> EntityState? { states[key] }

    /// The expectations for a commit that is computed from these states.
    public var expectations: [EntityKey: StoreVersion] { states.mapValues(\.version) }
}

/// The answer to a query, with versions.
public struct EntityList: Hashable, Sendable {
    /// The version of the account at the moment of the query.
    public var version: StoreVersion
    /// The states of the rows, in the order of the query. Each state has a row.
    public var states: [EntityState]

    /// Creates the answer to a query.
    public init(version: StoreVersion, states: [EntityState]) {
        self.version = version
        self.states = states
    }
}

/// The outcome of a commit: its versions, or a refusal.
public enum CommitOutcome: Hashable, Sendable {
    /// The commit is in the store. It has a version per account with changed entities.
    case committed([Account?: StoreVersion])
    /// Nothing was written: these keys have other versions than the commit expected.
    ///
    /// The value is the current state of each such key.
    case refused([EntityKey: EntityState])

    /// Returns the version of the commit for an account.
    ///
    /// It is nil if the commit was refused or does not change the account.
    public func version(of account: Account?) -> StoreVersion? {
        guard case .committed(let versions) = self else { return nil }
        return versions[account]
    }
}

extension EntityStates {
    /// Returns the current states of the keys that differ from the expectation.
    package func refusals(of expected: [EntityKey: StoreVersion]) -> [EntityKey: EntityState] {
        // A key without an expectation may have any version.
        states.filter { key, state in expected[key].map { $0 != state.version } == true }
    }
}

/// The tombstones that the stores of Wharf keep.
package enum EntityTombstones {
    /// The number of newest tombstones kept per account: about 1 MB on disk.
    package static let bound = 10_000
}
