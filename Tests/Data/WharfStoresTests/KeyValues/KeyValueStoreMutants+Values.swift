import Synchronization
import WharfChecks
import WharfCore
import WharfStores

extension KeyValueStoreMutants {
    static let values: [Mutant] = [
        mutant("takes bytes of 255 at the end for padding", breaks: "a value comes back as it was set") {
            $0.finds { value in Array(value.prefix((value.lastIndex { $0 != 0xFF } ?? -1) + 1)) }
        },
        mutant("keeps half a megabyte at most", breaks: "a large value comes back as it was set") {
            $0.finds { Array($0.prefix(1 << 19)) }
        },
        mutant("does not list an empty value", breaks: "an empty value is not the same as none") { store in
            store.keys = { [base = store.base] (prefix) async throws(StoreError) in
                var names: [String] = []
                for name in try await base.keys(withPrefix: prefix) where try await base.value(for: name) != [] {
                    names.append(name)
                }
                return names
            }
        },
        mutant("can't be read before it was written", breaks: "a value that was never set is nil, and no error") {
            store in
            let exists = Mutex(false)
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                exists.withLock { $0 = true }
                try await base.set(value, for: name)
            }
            store.value = { [base = store.base] (name) async throws(StoreError) in
                guard exists.withLock({ $0 }) else { throw StoreError(.failed, message: "no such folder") }
                return try await base.value(for: name)
            }
        },
        mutant("leaves the tail of a short value", breaks: "a set replaces the earlier value") { store in
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                let before = try await base.value(for: name) ?? []
                try await base.set(value.map { $0 + (before.count < 16 ? before.dropFirst($0.count) : []) }, for: name)
            }
        },
        mutant("keeps a tombstone for ever", breaks: "nil removes a value and no other") { store in
            let removed = Mutex<Set<String>>([])
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                let isDead = removed.withLock { removed in
                    if value == nil { removed.insert(name) }
                    return removed.contains(name)
                }
                try await base.set(isDead ? nil : value, for: name)
            }
        },
        mutant("finds nothing to remove", breaks: "removing a missing value is no error") { store in
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                if value == nil, try await base.value(for: name) == nil {
                    throw StoreError(.failed, message: "nothing to remove")
                }
                try await base.set(value, for: name)
            }
        },
        mutant(
            "forgets", breaks: "set values survive reopening",
            reopened: { _ in MemoryKeyValueStore() }, { _ in }),
    ]
}
