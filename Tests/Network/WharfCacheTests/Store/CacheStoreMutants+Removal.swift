import Synchronization
import WharfCache
import WharfChecks
import WharfCore
import WharfStorage

extension CacheStoreMutants {
    static let removal: [Mutant] = [
        mutant("removes the whole key", breaks: "removing one variant leaves the others") { store in
            store.remove = { [base = store.base] (_, key) async throws(StoreError) in
                try await base.removeAll(under: key)
            }
        },
        mutant("removes the newest of a key", breaks: wholeKey) { store in
            store.removeKey = { [base = store.base] (key) async throws(StoreError) in
                let variants = try await base.variants(key)
                guard variants.count > 1 else { return try await base.removeAll(under: key) }
                try await base.remove(variants[0].id, under: key)
            }
        },
        mutant("removes a key of every account", breaks: wholeKey) { store in
            store.removeKey = { [base = store.base] (key) async throws(StoreError) in
                for account in [nil, Account("1")] {
                    try await base.removeAll(
                        under: CacheKey(account: account, method: key.method, target: key.target))
                }
            }
        },
        mutant("removes a key of one site", breaks: "removing a key removes it for each top-level site") { store in
            store.removeKey = { [base = store.base] (key) async throws(StoreError) in
                for variant in try await base.variants(key) { try await base.remove(variant.id, under: key) }
            }
        },
        mutant("takes nobody for an account without a name", breaks: account) { store in
            store.removeAccount = { [base = store.base] (account) async throws(StoreError) in
                try await base.removeAll(of: account ?? Account(""))
            }
        },
        mutant("removes all accounts", breaks: account) { store in
            store.removeAccount = { [base = store.base] (account) async throws(StoreError) in
                for entry in try await base.entries(usedBefore: nil, limit: .max) {
                    try await base.remove(entry.id, under: entry.key)
                }
                // It ends the writers of this account alone.
                try await base.removeAll(of: account)
            }
        },
        mutant("lets writers go on after a removal", breaks: late) { store in
            store.removeAccount = { [base = store.base] (account) async throws(StoreError) in
                for entry in try await base.entries(usedBefore: nil, limit: .max) where entry.key.account == account {
                    try await base.remove(entry.id, under: entry.key)
                }
            }
        },
        mutant("commits an ended writer", breaks: late) { store in
            let isRemoved = Mutex(false)
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                let text = OpenText(key, head)
                return WrongCacheWriter(
                    try await base.begin(key, head), text,
                    commit: { () async throws(StoreError) in
                        if isRemoved.withLock({ $0 }) { try await base.put(key, head, text.bytes) }
                    })
            }
            store.removeAccount = { [base = store.base] (account) async throws(StoreError) in
                isRemoved.withLock { $0 = true }
                try await base.removeAll(of: account)
            }
        },
        mutant("ends the writers of all accounts", breaks: late) { store in
            let removals = Mutex(0)
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                let begun = removals.withLock { $0 }
                return WrongCacheWriter(
                    try await base.begin(key, head), OpenText(key, head),
                    commit: { () async throws(StoreError) in
                        guard removals.withLock({ $0 }) == begun else { throw StoreError(.closed, message: "ended") }
                    })
            }
            store.removeAccount = { [base = store.base] (account) async throws(StoreError) in
                removals.withLock { $0 += 1 }
                try await base.removeAll(of: account)
            }
        },
    ]

    static let durability: [Mutant] = [
        mutant(
            "forgets", breaks: "committed responses survive reopening, and nothing else does",
            reopened: { _ in
                let store = MemoryCacheStore()
                // Its ids continue.
                for _ in 0..<10 { try await store.put(CacheKey(target: "ids"), emptyHead, []) }
                try await store.removeAll(of: nil)
                return store
            }, { _ in }),
        mutant(
            "counts anew when it was empty", breaks: "an id is never used again, also after reopening",
            reopened: { $0.byteCount == 0 ? MemoryCacheStore() : $0 }, { _ in }),
    ]

    private static let wholeKey = "removing a key removes all its variants, and no other key"
    private static let late = "a writer that began before the removal of its account commits nothing"
    private static let account = "removing an account removes its responses, and nothing else"
    private static let emptyHead = StoredHead(
        response: HTTPResponse(status: .ok), requestedAt: .distantPast, respondedAt: .distantPast)
}
