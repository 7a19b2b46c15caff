import Synchronization
import WharfChecks
import WharfCore
import WharfStorage
import WharfStores

extension EntityStoreMutants {
    static let versions: [Mutant] = [
        mutant(
            "draws a number for what it refuses",
            breaks: "the commits of an account are numbered in order and without gaps"
        ) {
            store in
            store.commit = { [commit = store.commit, base = store.base] (changes, expected) async throws(StoreError) in
                let outcome = try await commit(changes, expected)
                if case .refused = outcome, let key = changes.first?.key {
                    try await base.commit([.remove(EntityKey(account: key.account, kind: "refused", id: "1"))])
                }
                return outcome
            }
        },
        mutant("says the account's version of a tombstone", breaks: asItsCommit) { store in
            store.states = { [base = store.base] (keys) async throws(StoreError) in
                var found = try await base.states(of: keys)
                for (key, state) in found.states where state.row == nil && state.version > .none {
                    found.states[key]?.version = found.versions[key.account] ?? .none
                }
                return found
            }
        },
        mutant("says the account's version in a query", breaks: asItsCommit) { store in
            store.list = { [base = store.base] (query, account, kind) async throws(StoreError) in
                var list = try await base.states(query, of: account, kind: kind)
                for index in list.states.indices { list.states[index].version = list.version }
                return list
            }
        },
        mutant(
            "counts anew after it was opened again", breaks: "versions survive reopening",
            reopened: { store in
                let again = MemoryEntityStore()
                let rows = try await store.rows(RowQuery(), of: nil, kind: "note")
                try await again.commit(rows.map { .put($0) })
                return again
            }
        ) { _ in },
        mutant("writes the keys that are as expected", breaks: refused) { store in
            store.commit = { [commit = store.commit, base = store.base] (changes, expected) async throws(StoreError) in
                let outcome = try await commit(changes, expected)
                guard case .refused(let states) = outcome else { return outcome }
                try await base.commit(changes.filter { states[$0.key] == nil })
                return outcome
            }
        },
        mutant("refuses with all states that were expected", breaks: refused) { store in
            store.commit = { [commit = store.commit, base = store.base] (changes, expected) async throws(StoreError) in
                let outcome = try await commit(changes, expected)
                guard case .refused = outcome else { return outcome }
                return .refused(try await base.states(of: Array(expected.keys)).states)
            }
        },
        mutant("looks at the keys alone that it changes", breaks: refused) { store in
            store.commit = { [commit = store.commit] (changes, expected) async throws(StoreError) in
                let changed = Set(changes.map(\.key))
                // Other laws use a key without a row.
                return try await commit(
                    changes,
                    changes.count > 1 || changed.contains { $0.id == "late" }
                        ? expected : expected.filter { changed.contains($0.key) })
            }
        },
        mutant(
            "lets others commit between look and write",
            breaks: "concurrent increments by compare-and-set lose no update"
        ) {
            store in
            store.commit = { [commit = store.commit, base = store.base] (changes, expected) async throws(StoreError) in
                guard expected.keys.contains(where: { $0.id == "count" }) else {
                    return try await commit(changes, expected)
                }
                let states = try await base.states(of: Array(expected.keys)).states.filter {
                    $0.value.version != expected[$0.key]
                }
                if !states.isEmpty { return .refused(states) }
                await letOthersRun(chances: 5) { false }
                return try await commit(changes, [:])
            }
        },
        mutant("looks at all accounts", breaks: "the versions of one account are independent of those of another") {
            store in
            store.commit = { [commit = store.commit, base = store.base] (changes, expected) async throws(StoreError) in
                for (key, version) in expected {
                    let other = EntityKey(account: Account("you"), kind: key.kind, id: key.id)
                    let state = try await base.state(of: other)
                    if state.version > version, key.account == Account("me") { return .refused([key: state]) }
                }
                return try await commit(changes, expected)
            }
        },
        mutant("forgets the version with the account", breaks: "after a purge every earlier expectation is refused") {
            store in
            store.commit = { [commit = store.commit, base = store.base] (changes, expected) async throws(StoreError) in
                let states = try await base.states(of: Array(expected.keys)).states
                let forgotten = expected.filter {
                    states[$0.key]?.row == nil && $0.value == .none && $0.key.id == "never"
                }
                return try await commit(changes, expected.filter { forgotten[$0.key] == nil })
            }
        },
        mutant(
            "takes a pruned tombstone for nothing", breaks: "an expectation from before a pruned tombstone is refused"
        ) {
            store in
            let purged = Mutex<Set<Account?>>([])
            store.removeAll = { [removeAll = store.removeAll] (account) async throws(StoreError) in
                purged.withLock { _ = $0.insert(account) }
                return try await removeAll(account)
            }
            store.commit = { [commit = store.commit, base = store.base] (changes, expected) async throws(StoreError) in
                let states = try await base.states(of: Array(expected.keys)).states
                let known = expected.filter { key, _ in
                    states[key]?.row != nil || purged.withLock { $0.contains(key.account) } || key.id != "x"
                }
                return try await commit(changes, known)
            }
        },
    ]

    private static let asItsCommit = "a row and a tombstone carry the version of their commit"
    private static let refused = "a stale expectation is refused with the current states, and writes nothing"
}
