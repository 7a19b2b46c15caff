internal import WharfCore
internal import WharfStorage

/// A cache key, encoded in the table's columns.
struct RowKey: Sendable {
    /// Empty for no account; otherwise a dot and the name.
    ///
    /// The dot distinguishes an account with an empty name from none.
    let account: String
    /// The top-level site, encoded as the account is.
    let site: String
    let method: String
    let target: String
    /// The checksum of the other four; it seeds the head's.
    let seed: UInt64

    init(_ key: CacheKey) {
        account = Self.account(key.account)
        site = Self.column(key.topLevelSite?.name)
        method = key.method
        target = key.target
        // Lengths precede the texts. Otherwise two keys could have the same bytes, such as "ab" +
        // "c" and "a" + "bc".
        var writer = ByteWriter(
            capacity: account.utf8.count + method.utf8.count + target.utf8.count + site.utf8.count + 8)
        writer.put(counted: account.utf8)
        writer.put(counted: method.utf8)
        writer.put(counted: target.utf8)
        // A key without a site has the bytes of file version 3, so heads from it keep their seed.
        if !site.isEmpty { writer.put(counted: site.utf8) }
        seed = XXH64.hash(writer.bytes)
    }

    static func account(_ account: Account?) -> String { column(account?.name) }

    /// The account that a column contains.
    static func account(_ column: String) -> Account? { name(column).map(Account.init) }

    /// The site that a column contains.
    static func site(_ column: String) -> TopLevelSite? { name(column).map(TopLevelSite.init) }

    private static func column(_ name: String?) -> String { name.map { "." + $0 } ?? "" }

    private static func name(_ column: String) -> String? { column.isEmpty ? nil : String(column.dropFirst()) }

    var byteCount: Int { account.utf8.count + site.utf8.count + method.utf8.count + target.utf8.count }
}
