internal import WharfCore

/// Rows in memory, as a value.
struct EntityTable {
    /// By ``WharfCore/EntityKey/scope``.
    private var rows: [EntityKey: [EntityKey: EntityRow]] = [:]

    subscript(_ key: EntityKey) -> EntityRow? { rows[key.scope]?[key] }

    func rows(of account: Account?, _ kind: String) -> [EntityKey: EntityRow] {
        rows[EntityKey(account: account, kind: kind, id: "")] ?? [:]
    }

    mutating func apply(_ changes: [EntityChange]) {
        for change in changes {
            let scope = change.key.scope
            switch change {
            case .put(let row): rows[scope, default: [:]][row.key] = row
            case .remove(let key): rows[scope]?[key] = nil
            }
        }
    }

    mutating func removeAll(of account: Account?) { rows = rows.filter { $0.key.account != account } }
}
