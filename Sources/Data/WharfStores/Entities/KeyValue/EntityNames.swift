internal import WharfCore

/// The names under which a ``KeyValueEntityStore`` keeps its rows.
///
/// A name is the prefix, `row/`, the account or `-` for none, the kind, and the id. Account and
/// kind carry the count of their bytes, as in `row/5:alice4:note17`. So no name of an account or
/// kind is a prefix of another's.
struct EntityNames: Sendable {
    let prefix: String

    /// The name of an unfinished commit's intent.
    var intent: String { prefix + "intent" }

    func of(_ key: EntityKey) -> String { ofKind(key.kind, account: key.account) + key.id }

    /// The prefix of the names of a kind's rows.
    func ofKind(_ kind: String, account: Account?) -> String { ofAccount(account) + counted(kind) }

    func ofAccount(_ account: Account?) -> String { prefix + "row/" + (account.map { counted($0.name) } ?? "-") }

    /// The name of an account's version and floor.
    ///
    /// It contains a hash, so that nothing of the account's name remains after a purge.
    func version(of account: Account?) -> String {
        let name = account.map { counted($0.name) } ?? "-"
        return prefix + "version/" + String(XXH64.hash(Array(name.utf8)), radix: 16)
    }

    /// The key of a row's name; nil for a name in another format.
    func key(_ name: String, of account: Account?) -> EntityKey? {
        // The caller has listed names with this prefix.
        let rest = name.utf8.dropFirst(ofAccount(account).utf8.count)
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
            let count = Int(String(decoding: rest[..<colon], as: UTF8.self)), count >= 0
        else { return nil }
        let text = rest[colon...].dropFirst()
        guard count <= text.count else { return nil }
        return EntityKey(
            account: account, kind: String(decoding: text.prefix(count), as: UTF8.self),
            id: String(decoding: text.dropFirst(count), as: UTF8.self))
    }

    private func counted(_ text: String) -> String { "\(text.utf8.count):\(text)" }
}
