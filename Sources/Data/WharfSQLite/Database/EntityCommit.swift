#if SQLite
internal import GRDB
internal import WharfCore
internal import WharfStorage

/// The entity changes of one commit, inside its transaction.
struct EntityCommit {
    let db: Database
    let reached: (DataPoint) -> Void
    /// Throws if writing must stop, as the system's time has run out.
    let check: () throws -> Void

    /// The current states of the keys that differ from the expectation; nil if none.
    func refusal(of expected: [EntityKey: StoreVersion]) throws -> [EntityKey: EntityState]? {
        if expected.isEmpty { return nil }
        let tables = EntityTables(db: db)
        // Compared by the version alone. Rows are read only for a refusal, which is rare.
        let differing = try expected.filter { try tables.version($0.key) != $0.value }
        return differing.isEmpty ? nil : try tables.states(Array(differing.keys)).states
    }

    /// - Returns: the commit's version of each account.
    func write(_ changes: [EntityChange], _ effects: inout CommitEffects) throws -> [Account?: StoreVersion] {
        if changes.isEmpty { return [:] }
        var counts: [Account?: Int] = [:]
        for change in changes { counts[change.key.account, default: 0] += 1 }
        let tables = VersionTables(db: db)
        var versions: [Account?: StoreVersion] = [:]
        var writer = EntityWriter(db, reached: reached)
        for (account, count) in counts {
            let version = try tables.next(of: account)
            versions[account] = version
            // A commit of this size is not logged. The floor makes feeds behind it read everything.
            if count > VersionTables.mostKeys { try tables.raiseFloor(of: account, to: version) }
            writer.begin(account, at: version, isLogged: count <= VersionTables.mostKeys)
        }
        for change in changes {
            // Between two rows, because an expiry interrupts only a running statement.
            try check()
            try writer.write(change)
        }
        for (account, version) in versions {
            // The log is counted only every 256 commits, and after large ones. It may exceed its
            // bound meanwhile.
            if version.number % 256 == 0 || counts[account] ?? 0 > 100 {
                try tables.prune(account, at: version, bound: EntityTombstones.bound)
            }
            var reported: [EntityKey: EntityFeed.Change] = [:]
            // A change of another account must not be told to this account's readers.
            for change in changes where counts.count == 1 || change.key.account == account {
                // The last change of a key counts, as in the store.
                reported[change.key] = EntityFeed.Change(version: version, isRemoval: change.isRemoval)
            }
            effects.versions.append(
                VersionTables.AccountChanges(
                    account: account, since: StoreVersion(version.number - 1),
                    element: .changes(reported, reached: version)))
        }
        return versions
    }
}

extension EntityChange {
    var isRemoval: Bool { if case .remove = self { true } else { false } }
}
#endif
