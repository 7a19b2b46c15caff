internal import WharfCore

/// The names under which a ``KeyValueEntityStore`` keeps its rows: the prefix, `row/`, the account or `-` for none, the kind and the
/// id. Account and kind carry the count of their bytes, as in `row/5:alice4:note17`, so that none begins like another.
struct EntityNames: Sendable {
    let prefix: String

    /// Where the changes of a commit lie that is not finished.
    var intent: String { prefix + "intent" }

    func of(_ key: EntityKey) -> String { ofKind(key.kind, account: key.account) + key.id }

    /// What the names of all its rows begin with.
    func ofKind(_ kind: String, account: Account?) -> String { ofAccount(account) + counted(kind) }

    func ofAccount(_ account: Account?) -> String { prefix + "row/" + (account.map { counted($0.name) } ?? "-") }

    private func counted(_ text: String) -> String { "\(text.utf8.count):\(text)" }
}
