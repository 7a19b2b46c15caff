import Synchronization
import WharfChecks
import WharfCore
import WharfStores

extension EntityStoreMutants {
    static let changes: [Mutant] = [
        mutant("tells of what came before", breaks: afterTheSubscription) { store in
            let committed = Mutex<[EntityKey]>([])
            store.tells { changes in
                committed.withLock { committed in
                    committed += changes.map(\.key)
                    return committed
                }
            }
        },
        mutant("tells of no removal", breaks: afterTheSubscription) { store in
            store.tells { changes in
                changes.filter { if case .put = $0 { true } else { false } }.map(\.key)
            }
        },
        mutant("forgets what a slow reader missed first", breaks: "missed changes of a slow reader are joined into one")
        {
            store in
            let commits = Mutex(0)
            store.commit = {
                [base = store.base, readers = store.readers] (changes, expected) async throws(StoreError) in
                let outcome = try await base.commit(changes, expecting: expected)
                let count = commits.withLock { commits in
                    commits += 1
                    return commits
                }
                // Beyond this number it reports that there were too many changes.
                if count > 50 {
                    readers.tellAll(of: nil)
                } else if count != 10 {
                    readers.tell(changes.map(\.key))
                }
                return outcome
            }
        },
        mutant("tells of every account", breaks: "a subscription to one account and kind tells no other") { store in
            store.commit = {
                [base = store.base, readers = store.readers] (changes, expected) async throws(StoreError) in
                let outcome = try await base.commit(changes, expecting: expected)
                readers.tell { scope in
                    let keys = Set(changes.map(\.key).filter { $0.kind == scope.kind })
                    return keys.isEmpty ? nil : .keys(keys)
                }
                return outcome
            }
        },
        mutant("tells of every kind", breaks: "a subscription to one account and kind tells no other") { store in
            store.commit = {
                [base = store.base, readers = store.readers] (changes, expected) async throws(StoreError) in
                let outcome = try await base.commit(changes, expecting: expected)
                readers.tell { scope in
                    let keys = Set(changes.map(\.key).filter { $0.account == scope.account })
                    return keys.isEmpty ? nil : .keys(keys)
                }
                return outcome
            }
        },
        mutant("does not tell that an account was removed", breaks: "a subscription tells the removal of its account") {
            store in
            store.removeAll = { [base = store.base] (account) async throws(StoreError) in
                try await base.removeAll(of: account)
            }
        },
        mutant(
            "tells of one of two commits at the same time",
            breaks: "a subscription misses none of several concurrent commits"
        ) { store in
            let commits = Mutex(0)
            store.tells { changes in
                let arrived = commits.withLock { commits in
                    commits += 1
                    return commits
                }
                await letOthersRun(chances: 20) { commits.withLock { $0 > arrived } }
                return commits.withLock { $0 > arrived } ? [] : changes.map(\.key)
            }
        },
    ]

    private static let afterTheSubscription =
        "a subscription tells commits made after it, and none made before"
}
