import Synchronization
import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension EntityStoreMutants {
    static let feeds: [Mutant] = [
        mutant(
            "tells a removal as a put", breaks: "a feed tells each commit, and joins those that a slow reader missed"
        ) {
            $0.tellsFeeds { element, _ in [element.changing { $0.isRemoval = false }] }
        },
        mutant("begins one commit too late", breaks: "a feed resumes at every version") {
            $0.logs { element, since in
                guard case .changes(let changes, let reached) = element else { return element }
                // Restricted to its own law, as other tests may read the log during commits.
                guard changes.keys.contains(where: { $0.kind == "draft" }) else { return element }
                return .changes(
                    changes.filter { $0.value.version > since.next || reached == since.next }, reached: reached)
            }
        },
        mutant("tells every account", breaks: "a feed tells no commit of another account") { store in
            store.feedAccounts = [nil, Account("me"), Account("you")]
            store.tellsFeeds { element, _ in [element] }
        },
        mutant(
            "goes on after a purge as if nothing had been",
            breaks: "a feed from before a purge tells its reader to read everything"
        ) {
            $0.tellsFeeds { element, _ in
                if case .everything(let reached) = element { [.changes([:], reached: reached)] } else { [element] }
            }
        },
        mutant(
            "knows nothing of what was pruned",
            breaks: "a feed from before a pruned tombstone tells its reader to read everything"
        ) { store in
            store.logs { [base = store.base] element, _ in
                guard case .everything(let reached) = element, base.tombstoneCount(of: nil) > 0 else { return element }
                return .changes([:], reached: reached)
            }
        },
        mutant(
            "tells one of two commits at the same time",
            breaks: "a feed has no gap with concurrent commits"
        ) { store in
            let commits = Mutex(0)
            store.tellsFeeds { element, _ in
                let arrived = commits.withLock { commits in
                    commits += 1
                    return commits
                }
                await letOthersRun(chances: 20) { commits.withLock { $0 > arrived } }
                return commits.withLock { $0 > arrived } ? [.changes([:], reached: element.reached)] : [element]
            }
        },
    ]
}

extension EntityFeed.Element {
    fileprivate func changing(_ body: (inout EntityFeed.Change) -> Void) -> Self {
        guard case .changes(let changes, let reached) = self else { return self }
        return .changes(
            changes.mapValues { change in
                var change = change
                body(&change)
                return change
            }, reached: reached)
    }
}

extension WrongEntityStore {
    /// Maps the elements that a reader finds in the log.
    mutating func logs(_ change: @escaping @Sendable (EntityFeed.Element, StoreVersion) -> EntityFeed.Element) {
        follow(change) { element, _ in [element] }
    }

    /// Maps the elements that a reader receives.
    mutating func tellsFeeds(
        _ change: @escaping @Sendable (EntityFeed.Element, Account?) async -> [EntityFeed.Element]
    ) {
        follow({ element, _ in element }, change)
    }

    private mutating func follow(
        _ log: @escaping @Sendable (EntityFeed.Element, StoreVersion) -> EntityFeed.Element,
        _ tell: @escaping @Sendable (EntityFeed.Element, Account?) async -> [EntityFeed.Element]
    ) {
        let (base, feeds, accounts) = (base, feeds, feedAccounts)
        let send = { @Sendable (element: EntityFeed.Element, account: Account?) async in
            for element in await tell(element, account) {
                for account in accounts ?? [account] {
                    // Uses the version `none`, to hide its gaps.
                    feeds.tell(element, of: account, since: .none)
                }
            }
        }
        commit = { [commit] (changes, expected) async throws(StoreError) in
            let outcome = try await commit(changes, expected)
            guard case .committed(let versions) = outcome else { return outcome }
            for (account, version) in versions {
                var reported: [EntityKey: EntityFeed.Change] = [:]
                for change in changes where change.key.account == account {
                    let isRemoval = if case .remove = change { true } else { false }
                    reported[change.key] = EntityFeed.Change(version: version, isRemoval: isRemoval)
                }
                await send(.changes(reported, reached: version), account)
            }
            return outcome
        }
        removeAll = { [removeAll] (account) async throws(StoreError) in
            let version = try await removeAll(account)
            await send(.everything(reached: version), account)
            return version
        }
        feed = { [feed] account, kind, version in
            // Laws of readers from now on have mutants of their own.
            guard let version else { return feed(account, kind, nil) }
            return feeds.subscribe(to: account, kind: kind, since: version) { (version) throws(StoreError) in
                try base.log(of: account, since: version).map { log($0, version) }
            }
        }
    }
}
