import Synchronization
import WharfChecks
import WharfCore
import WharfStores

extension EntityStoreMutants {
    static let queries: [Mutant] = [
        mutant("takes less for less or equal", breaks: definition) {
            $0.asks { $0.condition = $0.condition.takingLessForLessOrEqual }
        },
        mutant("ignores the order where there is a condition", breaks: definition) {
            $0.asks { if $0.condition != .always { $0.sort = [] } }
        },
        mutant("ignores the limit where there is a condition", breaks: definition) {
            $0.asks { if $0.condition != .always { $0.limit = nil } }
        },
        mutant("takes nobody for an account without a name", breaks: "a query sees one account and kind") { store in
            store.query = { [query = store.query] (rows, account, kind) async throws(StoreError) in
                let own = try await query(rows, account, kind)
                return account == nil ? try await own + query(rows, Account(""), kind) : own
            }
        },
        mutant(
            "begins anew after a row that was removed",
            breaks: "pages read by cursor have each row once and in order"
        ) { store in
            let removed = Mutex<Set<EntityKey>>([])
            store.commits { changes in
                removed.withLock {
                    $0.formUnion(changes.lazy.filter { if case .remove = $0 { true } else { false } }.map(\.key))
                }
                return changes
            }
            store.query = { [base = store.base] (query, account, kind) async throws(StoreError) in
                var query = query
                if let id = query.after?.id {
                    let key = EntityKey(account: account, kind: kind, id: id)
                    if removed.withLock({ $0.contains(key) }) { query.after = nil }
                }
                return try await base.rows(query, of: account, kind: kind)
            }
        },
    ]

    private static let definition = "a query gives the same answer as its definition"
}

extension Condition {
    fileprivate var takingLessForLessOrEqual: Condition {
        switch self {
        case .ordered(let field, .less, let value): .ordered(field, .lessOrEqual, value)
        case .all(let conditions): .all(conditions.map(\.takingLessForLessOrEqual))
        case .any(let conditions): .any(conditions.map(\.takingLessForLessOrEqual))
        case .not(let condition): .not(condition.takingLessForLessOrEqual)
        default: self
        }
    }
}
