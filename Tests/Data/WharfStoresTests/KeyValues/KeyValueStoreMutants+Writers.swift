import Synchronization
import WharfChecks
import WharfCore
import WharfStores

extension KeyValueStoreMutants {
    static let writers: [Mutant] = [
        mutant(
            "is stuck at what two set at the same time",
            breaks: "concurrent sets of one name leave one whole value"
        ) { store in
            let state = Mutex((sets: [String: Int](), stuck: Set<String>()))
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                let arrived = state.withLock { state in
                    state.sets[name, default: 0] += 1
                    if state.sets[name] != 1 { state.stuck.insert(name) }
                    return state.sets[name]
                }
                await letOthersRun { state.withLock { $0.sets[name] != arrived } }
                if !state.withLock({ $0.stuck.contains(name) }) { try await base.set(value, for: name) }
                state.withLock { $0.sets[name, default: 0] -= 1 }
            }
        },
        mutant("writes back all that it has read", breaks: "concurrent sets of different names are all kept") {
            store in
            let sets = Mutex(0)
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                // Discards the values that others have set meanwhile.
                let before = Set(try await base.keys(withPrefix: "") + [name])
                let arrived = sets.withLock { sets in
                    sets += 1
                    return sets
                }
                await letOthersRun { sets.withLock { $0 > arrived } }
                for other in try await base.keys(withPrefix: "") where !before.contains(other) {
                    try await base.set(nil, for: other)
                }
                try await base.set(value, for: name)
            }
        },
        mutant("sets half, then all", breaks: "a reader sees the value before or after a set, and nothing between") {
            store in
            let reads = Mutex(0)
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                try await base.set(value.map { Array($0.prefix($0.count / 2)) }, for: name)
                let before = reads.withLock { $0 }
                await letOthersRun { reads.withLock { $0 > before } }
                try await base.set(value, for: name)
            }
            store.value = { [base = store.base] (name) async throws(StoreError) in
                let found = try await base.value(for: name)
                reads.withLock { $0 += 1 }
                return found
            }
        },
        mutant("hides a name while it sets it", breaks: "a listing made while values are replaced has each name once") {
            store in
            let state = Mutex((hidden: Set<String>(), listings: 0))
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                let before = state.withLock { state in
                    state.hidden.insert(name)
                    return state.listings
                }
                await letOthersRun { state.withLock { $0.listings > before } }
                try await base.set(value, for: name)
                state.withLock { _ = $0.hidden.remove(name) }
            }
            store.lists { names, _ in
                state.withLock { state in
                    state.listings += 1
                    return names.filter { !state.hidden.contains($0) }
                }
            }
        },
        mutant("shows a new byte at the second look", breaks: "a set is visible to every reader when it returns") {
            store in
            let late = Mutex<[String: [UInt8]]>([:])
            store.set = { [base = store.base] (value, name) async throws(StoreError) in
                let before = try await base.value(for: name)
                if before?.count == 1, value?.count == 1 { late.withLock { $0[name] = before } }
                try await base.set(value, for: name)
            }
            store.value = { [base = store.base] (name) async throws(StoreError) in
                if let before = late.withLock({ $0.removeValue(forKey: name) }) { return before }
                return try await base.value(for: name)
            }
        },
    ]
}
