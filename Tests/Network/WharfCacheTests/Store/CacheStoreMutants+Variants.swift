import Synchronization
import WharfCache
import WharfChecks
import WharfCore
import WharfStorage

extension CacheStoreMutants {
    static let variants: [Mutant] = [
        mutant(
            "takes an empty field for none", breaks: "a commit replaces the variant with the same varying, and no other"
        ) { store in
            store.begin = { [base = store.base] (key, head) async throws(StoreError) in
                WrongCacheWriter(
                    try await base.begin(key, head), OpenText(key, head),
                    commit: { () async throws(StoreError) in
                        for other in try await base.variants(key)
                        where present(other.head.varying) == present(head.varying) {
                            try await base.remove(other.id, under: key)
                        }
                    })
            }
        },
        mutant("puts first what was looked up", breaks: "variants are listed with the most recently stored first") {
            store in
            let looked = Mutex<[CacheKey: StoredResponse.ID]>([:])
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                var found = try await base.lookup(key) { all in
                    let selection = select(all)
                    if let selection { looked.withLock { $0[key] = selection.id } }
                    return selection
                }
                if let index = found.variants.firstIndex(where: { $0.id == looked.withLock { $0[key] } }) {
                    found.variants.insert(found.variants.remove(at: index), at: 0)
                }
                return found
            }
        },
        mutant("asks twice", breaks: selected) { store in
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                _ = select([])
                return try await base.lookup(key, select: select)
            }
        },
        mutant("gives the newest for an id that it does not know", breaks: selected) { store in
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                try await base.lookup(key) { all in
                    guard let selection = select(all) else { return nil }
                    if all.contains(where: { $0.id == selection.id }) { return selection }
                    return all.first.map { CacheSelection(id: $0.id) }
                }
            }
        },
        mutant("has one long body for a key", breaks: selected) { store in
            store.look = { [base = store.base] (key, select) async throws(StoreError) in
                try await base.lookup(key) { all in
                    var selection = select(all)
                    let isLong = all.contains { $0.id == selection?.id && $0.length > 4_096 }
                    if isLong, let first = all.first(where: { $0.length > 4_096 }) { selection?.id = first.id }
                    return selection
                }
            }
        },
        mutant("ignores the case of a method", breaks: apart) { store in
            store.looks { key in
                var key = key
                key.method = key.method.uppercased()
                return key
            }
        },
        mutant("ignores the case of a path", breaks: apart) { store in
            store.looks { key in
                var key = key
                key.target = key.target.lowercased()
                return key
            }
        },
        mutant("takes a site without a name for none", breaks: apart) { store in
            store.looks { key in
                var key = key
                // Without an account, whose removal has a law of its own.
                if key.account == nil, key.topLevelSite?.name == "" { key.topLevelSite = nil }
                return key
            }
        },
        mutant("counts anew when it is empty", breaks: "an id is never used again") { store in
            let limit = 64 << 20
            let keys = Mutex<Set<CacheKey>>([])
            let current = Mutex(store.base)
            let now = { @Sendable in current.withLock { $0 } }
            store.look = { (key, select) async throws(StoreError) in try await now().lookup(key, select: select) }
            store.begin = { (key, head) async throws(StoreError) in
                keys.withLock { _ = $0.insert(key) }
                return try await now().begin(key, head)
            }
            store.update = { (id, key, head) async throws(StoreError) in
                try await now().update(id, under: key, to: head)
            }
            store.remove = { (id, key) async throws(StoreError) in try await now().remove(id, under: key) }
            store.removeAccount = { (account) async throws(StoreError) in try await now().removeAll(of: account) }
            store.removeKey = { (key) async throws(StoreError) in
                if keys.withLock({ $0 == [key] }) {
                    current.withLock { $0 = MemoryCacheStore(byteLimit: limit) }
                } else {
                    try await now().removeAll(under: key)
                }
            }
        },
    ]

    static let updates: [Mutant] = [
        mutant(
            "keeps the times of before", breaks: "an update changes the head and keeps the body, the id and the others"
        ) { store in
            store.update = { [base = store.base] (id, key, head) async throws(StoreError) in
                var head = head
                if let old = try await base.variants(key).first(where: { $0.id == id }) {
                    head.respondedAt = old.head.respondedAt
                }
                try await base.update(id, under: key, to: head)
            }
        },
        mutant(
            "leaves the place to a variant that has it",
            breaks: "an update takes the place of a variant with the same varying"
        ) { store in
            store.update = { [base = store.base] (id, key, head) async throws(StoreError) in
                let isTaken = try await base.variants(key).contains { $0.id != id && $0.head.varying == head.varying }
                if !isTaken { try await base.update(id, under: key, to: head) }
            }
        },
        mutant("brings back what it updates", breaks: "an update of a response that is gone does nothing") { store in
            store.update = { [base = store.base] (id, key, head) async throws(StoreError) in
                let isThere = try await base.variants(key).contains { $0.id == id }
                if !isThere { try await base.put(key, head, []) }
                try await base.update(id, under: key, to: head)
            }
        },
    ]

    private static let selected = "a lookup gives the body of the selected variant, and asks once"
    private static let apart = "keys that differ in account, site, method or target are separate"

    private static func present(_ fields: HTTPFields) -> [HTTPField] { fields.filter { !$0.value.isEmpty } }
}

extension WrongCacheStore {
    fileprivate mutating func looks(under change: @escaping @Sendable (CacheKey) -> CacheKey) {
        look = { [base] (key, select) async throws(StoreError) in try await base.lookup(change(key), select: select) }
    }
}
