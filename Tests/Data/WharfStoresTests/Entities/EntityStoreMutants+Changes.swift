import Synchronization
import WharfChecks
import WharfCore
import WharfStores

extension EntityStoreMutants {
    static let changes: [Mutant] = [
        mutant("tells of what came before", breaks: afterTheSubscription) { store in
            let committed = Mutex<[EntityKey]>([])
            store.tells { changes, news in
                news.tell(
                    committed.withLock { committed in
                        committed += changes.map(\.key)
                        return committed
                    })
            }
        },
        mutant("tells of no removal", breaks: afterTheSubscription) { store in
            store.tells { changes, news in
                news.tell(changes.filter { if case .put = $0 { true } else { false } }.map(\.key))
            }
        },
        mutant(
            "forgets what a slow reader missed first",
            breaks: "a feed from now joins the commits that a slow reader missed"
        ) { store in
            let commits = Mutex(0)
            store.tells { changes, news in
                let count = commits.withLock { commits in
                    commits += 1
                    return commits
                }
                // Beyond this number it reports that there were too many changes.
                if count > 50 {
                    news.tellAll(of: [nil])
                } else if count != 10 {
                    news.tell(changes.map(\.key))
                }
            }
        },
        mutant("tells of every account", breaks: ofOneKind) { store in
            store.tells { changes, news in
                news.tell(changes.map(\.key), to: [nil, Account("me"), Account("you")])
            }
        },
        mutant("tells of every kind", breaks: ofOneKind) { store in
            store.tells(ofKind: false) { changes, news in news.tell(changes.map(\.key)) }
        },
        mutant("finds every kind in the log", breaks: ofOneKind) { store in
            store.feed = { [base = store.base] account, kind, version in
                base.changes(of: account, kind: version == nil ? kind : nil, since: version)
            }
        },
        mutant(
            "does not tell that an account was removed", breaks: "a feed from now tells the removal of its account"
        ) { store in
            store.tells(purges: false) { changes, news in news.tell(changes.map(\.key)) }
        },
        mutant(
            "tells of one of two commits at the same time",
            breaks: "a feed from now misses none of several concurrent commits"
        ) { store in
            let commits = Mutex(0)
            store.tells { changes, news in
                let arrived = commits.withLock { commits in
                    commits += 1
                    return commits
                }
                await letOthersRun(chances: 20) { commits.withLock { $0 > arrived } }
                if !commits.withLock({ $0 > arrived }) { news.tell(changes.map(\.key)) }
            }
        },
    ]

    private static let afterTheSubscription =
        "a feed from now tells commits made after it, and none made before"
    private static let ofOneKind = "a feed of one account and kind tells no other"
}
