internal import WharfCore
internal import WharfStorage

/// A cache key, encoded in the table's columns.
struct RowKey: Sendable {
    /// Empty for no account; otherwise a dot and the name.
    ///
    /// The dot distinguishes an account with an empty name from none.
    let account: String
    let method: String
    let target: String
    /// The checksum of the other three; it seeds the head's.
    let seed: UInt64

    init(_ key: CacheKey) {
        account = Self.account(key.account)
        method = key.method
        target = key.target
        // Lengths precede the texts. Otherwise two keys could have the same bytes, such as "ab" +
        // "c" and "a" + "bc".
        var writer = ByteWriter(capacity: account.utf8.count + method.utf8.count + target.utf8.count + 8)
        writer.put(counted: account.utf8)
        writer.put(counted: method.utf8)
        writer.put(counted: target.utf8)
        seed = XXH64.hash(writer.bytes)
    }

    static func account(_ account: Account?) -> String {
        account.map { "." + $0.name } ?? ""
    }

    /// The account that a column contains.
    static func account(_ column: String) -> Account? {
        column.isEmpty ? nil : Account(String(column.dropFirst()))
    }

    var byteCount: Int { account.utf8.count + method.utf8.count + target.utf8.count }
}
