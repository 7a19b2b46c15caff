import Foundation
import Synchronization
import WharfChecks
import WharfCore
import WharfStores

extension EntityStoreMutants {
    static let rows: [Mutant] = [
        mutant("has no time beyond 2100", breaks: asItWasPut) {
            $0.finds = { changed($0) { $0.asOf = min($0.asOf, WallTime(secondsSince1970: 4_102_444_800)) } }
        },
        mutant("forgets when it becomes stale", breaks: asItWasPut) {
            $0.finds = { changed($0) { $0.staleAt = nil } }
        },
        mutant("forgets the validator", breaks: asItWasPut) { $0.finds = { changed($0) { $0.validator = nil } } },
        mutant("forgets the schema", breaks: asItWasPut) { $0.finds = { changed($0) { $0.schema = 1 } } },
        mutant("finds nothing to remove", breaks: "a row that was never put is nil, and no error") { store in
            store.commits { [base = store.base] (changes) async throws(StoreError) in
                // Restricted to its own law, as others also remove missing rows.
                for case .remove(let key) in changes where key.id == "x" {
                    guard try await base.row(key) == nil else { continue }
                    if !changes.contains(where: { $0.key == key && $0 != .remove(key) }) {
                        throw StoreError(.failed, message: "nothing to remove")
                    }
                }
                return changes
            }
        },
        mutant("can't commit nothing", breaks: "a row that was never put is nil, and no error") { store in
            store.commits { (changes) async throws(StoreError) in
                if changes.isEmpty { throw StoreError(.failed, message: "no changes") }
                return changes
            }
        },
        mutant("finds 32 at most by their keys", breaks: byKeys) { store in
            store.rows = { [base = store.base] (keys) async throws(StoreError) in
                try await base.rows(Array(keys.prefix(32)))
            }
        },
        mutant("finds nobody's by the keys of an account", breaks: byKeys) { store in
            store.rows = { [base = store.base] (keys) async throws(StoreError) in
                var found: [EntityKey: EntityRow] = [:]
                for key in keys { found[key] = try await base.row(EntityKey(kind: key.kind, id: key.id)) }
                return found
            }
        },
        mutant(
            "keeps the fields of before", breaks: "a put replaces the earlier row with all its fields"
        ) { store in
            store.commits { [base = store.base] (changes) async throws(StoreError) in
                var merged: [EntityChange] = []
                for change in changes {
                    guard case .put(let row) = change else { merged.append(change); continue }
                    let before = try await base.row(row.key)?.fields ?? [:]
                    merged.append(.put(changed(row) { $0.fields.merge(before) { new, _ in new } }))
                }
                return merged
            }
        },
        mutant("takes the first of two changes", breaks: theLater) { store in
            store.commits { (changes) async throws(StoreError) in changes.reversed() }
        },
        mutant("puts first, then removes", breaks: theLater) { store in
            store.commits { (changes) async throws(StoreError) in
                let isRemoval = { (change: EntityChange) in if case .remove = change { true } else { false } }
                return changes.filter { !isRemoval($0) } + changes.filter(isRemoval)
            }
        },
        mutant("ignores the case of a kind", breaks: "keys that look alike are different") {
            $0.reads = { EntityKey(account: $0.account, kind: $0.kind.lowercased(), id: $0.id) }
        },
        mutant("composes ids", breaks: "keys that look alike are different") {
            $0.reads = {
                EntityKey(account: $0.account, kind: $0.kind, id: $0.id.precomposedStringWithCanonicalMapping)
            }
        },
        mutant("takes ids for numbers", breaks: "keys that look alike are different") {
            $0.reads = {
                EntityKey(account: $0.account, kind: $0.kind, id: Int($0.id).map(String.init) ?? $0.id)
            }
        },
        mutant(
            "takes nobody for an account without a name",
            breaks: "removing an account removes its rows, and nothing else"
        ) { store in
            store.removeAll = { [removeAll = store.removeAll, base = store.base] (account) async throws(StoreError) in
                // Only if there is such an account, as a purge would otherwise have no version.
                let others = try await base.rows(RowQuery(), of: Account(""), kind: "note")
                return try await removeAll(others.isEmpty ? account : account ?? Account(""))
            }
        },
        mutant("commits one by one", breaks: "a commit is visible as a whole or not at all") { store in
            let looks = Mutex(0)
            store.commit = { [commit = store.commit] (changes, expected) async throws(StoreError) in
                // Restricted to its own law, as otherwise each change would draw a number.
                guard changes.count == 8 else { return try await commit(changes, expected) }
                for change in changes.dropLast() {
                    _ = try await commit([change], expected)
                    let before = looks.withLock { $0 }
                    await letOthersRun(chances: 20) { looks.withLock { $0 > before } }
                }
                return try await commit(Array(changes.suffix(1)), expected)
            }
            store.query = { [query = store.query] (rows, account, kind) async throws(StoreError) in
                let found = try await query(rows, account, kind)
                looks.withLock { $0 += 1 }
                return found
            }
        },
        mutant(
            "forgets", breaks: "committed rows survive reopening",
            reopened: { _ in MemoryEntityStore() }, { _ in }),
    ]

    private static let asItWasPut = "a row comes back as it was put"
    private static let byKeys = "rows are found by their keys, and missing keys are left out"
    private static let theLater = "the later of two changes of one key in a commit counts"
}

private func changed(_ row: EntityRow, _ change: (inout EntityRow) -> Void) -> EntityRow {
    var row = row
    change(&row)
    return row
}
