internal import Synchronization
internal import WharfCore
internal import WharfPrimitives
internal import WharfStorage

/// The versions of rows that a store without versions keeps.
final class ClosureVersions: Sendable {
    /// Held by a commit until it has its version, and by a read of rows with versions.
    let turns = AsyncMutex()
    /// Identifies the store's own commits, which get no second version.
    let listener: Int
    private let state: State

    /// A separate object, so that the listener does not keep the store alive.
    fileprivate final class State: Sendable {
        // `table` first, then the lock inside `feeds`. News are told under it, so feeds get commits
        // in the order of their versions.
        let table: Mutex<VersionedTable<Void>>
        let feeds = EntityFeedReaders()

        init(bound: Int) { table = Mutex(VersionedTable(bound: bound, isPartial: true)) }
    }

    init(hearing reporter: EntityChangeReporter, bound: Int) {
        let state = State(bound: bound)
        self.state = state
        listener = reporter.listen(
            EntityChangeReporter.Listener { [weak state] keys in
                // The report does not tell puts from removals; a reader of the feed finds out.
                _ = state?.committed(keys.map { ($0, false) })
            } all: { [weak state] isMeant in
                state?.changedAll(where: isMeant)
            } finish: { [weak state] in
                state?.feeds.finish()
            })
    }

    func versions(
        of keys: [EntityKey]
    ) -> (accounts: [Account?: StoreVersion], keys: [EntityKey: StoreVersion]) {
        state.table.withLock { table in
            var (accounts, versions): ([Account?: StoreVersion], [EntityKey: StoreVersion]) = ([:], [:])
            for key in keys {
                // A noted account is known, so a report for all accounts reaches it.
                table.note(key.account)
                accounts[key.account] = table.version(of: key.account)
                versions[key] = table.entry(key).version
            }
            return (accounts, versions)
        }
    }

    func table(noting account: Account?) -> VersionedTable<Void> {
        state.table.withLock { table in
            table.note(account)
            return table
        }
    }

    /// The current versions of the keys that differ from the expected ones.
    func differing(from expected: [EntityKey: StoreVersion]) -> [EntityKey: StoreVersion] {
        state.table.withLock { table in
            Dictionary(uniqueKeysWithValues: table.differing(from: expected).map { ($0, table.entry($0).version) })
        }
    }

    func committed(_ changes: [EntityChange]) -> [Account?: StoreVersion] {
        state.committed(
            changes.map { change in
                if case .remove(let key) = change { (key, true) } else { (change.key, false) }
            })
    }

    func changedAll(of account: Account?) -> StoreVersion { state.changedAll(of: account) }

    func changes(of account: Account?, kind: String?, since version: StoreVersion?) -> EntityFeed {
        state.feeds.subscribe(to: account, kind: kind, since: version) { [weak state] (version) throws(StoreError) in
            state?.table.withLock { table in
                table.note(account)
                return table.changes(of: account, since: version)
            }
        }
    }
}

extension ClosureVersions.State {
    func committed(_ changes: [(key: EntityKey, isRemoval: Bool)]) -> [Account?: StoreVersion] {
        table.withLock { table in
            var versions: [Account?: StoreVersion] = [:]
            for (key, isRemoval) in changes {
                // One version for all changes of an account in one commit.
                let version = versions[key.account] ?? table.draw(for: key.account)
                versions[key.account] = version
                table.set(isRemoval ? nil : (), for: key, at: version)
            }
            if feeds.isEmpty { return versions }
            for (account, version) in versions {
                var news: [EntityKey: EntityFeed.Change] = [:]
                for (key, isRemoval) in changes where key.account == account {
                    news[key] = EntityFeed.Change(version: version, isRemoval: isRemoval)
                }
                feeds.tell(.changes(news, reached: version), of: account, since: StoreVersion(version.number - 1))
            }
            return versions
        }
    }

    func changedAll(of account: Account?) -> StoreVersion {
        table.withLock { table in
            let version = table.removeAll(of: account)
            feeds.tellAll(of: account, at: version)
            return version
        }
    }

    func changedAll(where isMeant: (Account?) -> Bool) {
        // Collected first: `changedAll` takes the same lock for each account.
        for account in table.withLock({ $0.knownAccounts.union(feeds.accounts) }) where isMeant(account) {
            _ = changedAll(of: account)
        }
    }
}
