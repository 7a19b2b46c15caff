/// The directives of `Cache-Control` in a request or response (RFC 9111 §5.2).
///
/// The parser is lenient if that is safe. It accepts names in any case and values as tokens or
/// quoted strings, and ignores unknown directives. An invalid value counts as the strictest one: an
/// invalid `max-age` is 0. If `max-age` occurs twice, the smaller value counts (§4.2.1).
///
/// ```swift
/// let control = CacheControl("max-age=60, no-cache=\"Set-Cookie\"")
/// control.noCache                                                     // false: one field alone
/// ```
package struct CacheControl: Sendable, Hashable {
    /// Seconds, here and in the other directives.
    package var maxAge: Int64?
    package var sharedMaxAge: Int64?
    package var minFresh: Int64?
    /// `max-stale` without a value is the longest time.
    package var maxStale: Int64?
    /// RFC 5861 §4, in requests and responses.
    package var staleIfError: Int64?
    /// RFC 5861 §3, in responses.
    package var staleWhileRevalidate: Int64?
    package var noStore = false
    /// An unqualified `no-cache` (RFC 9111 §5.2.2.4). One that names fields is in
    /// ``noCacheFieldNames``.
    package var noCache = false
    /// An unqualified `private` (§5.2.2.7). One that names fields is in ``privateFieldNames``.
    package var isPrivate = false
    package var isPublic = false
    package var mustRevalidate = false
    package var proxyRevalidate = false
    package var mustUnderstand = false
    package var onlyIfCached = false
    /// The fields that `no-cache` names, as written. They need validation (§5.2.2.4).
    package var noCacheFieldNames: [String] = []
    /// The fields that `private` names, as written. A shared cache must not store them (§5.2.2.7).
    package var privateFieldNames: [String] = []

    package init() {}

    package init(_ value: String) {
        read(value)
    }

    /// Reads a targeted field, such as `CDN-Cache-Control` (RFC 9213 §2.1).
    ///
    /// - Parameter value: the combined value of its lines.
    /// - Returns: nil if the value is empty or no dictionary of structured fields. A cache then
    ///   ignores the field.
    package init?(targeted value: String) {
        guard let members = StructuredDictionary(value), !members.isEmpty else { return nil }
        self.init()
        for name in members.keys {
            switch members[name] {
            // `?0` says that the directive is absent.
            case .boolean(false), nil: break
            case .boolean(true): apply(name, nil)
            case .integer(let number): apply(name, Substring(String(number)))
            // Names of fields are a string here. For a directive with a number, each type but
            // integer is invalid, and must not be read as a number in quotes.
            case .string(let text) where name == "no-cache" || name == "private": apply(name, Substring(text))
            case .string, .token, .other: apply(name, "")
            }
        }
    }

    /// Whether a stale response with these directives needs validation before its use.
    ///
    /// `must-revalidate` and an unqualified `no-cache` need it even if the origin can't be reached
    /// (§4.2.4). A `no-cache` that names fields does not: the rest of the response may be used
    /// (§5.2.2.4).
    package var forbidsStaleUse: Bool { mustRevalidate || noCache }

    /// Adds the directives of another line of the field.
    package mutating func read(_ value: String) {
        // An unterminated quoted string must not hide a `no-store` behind it.
        for member in FieldList.members(value, opens: true) {
            let parts = FieldList.split(member, at: UInt8(ascii: "="), maxSplits: 1)
            let name = FieldList.trimmed(parts[0]).lowercased()
            apply(name, parts.count > 1 ? FieldList.trimmed(parts[1]) : nil)
        }
    }

    private mutating func apply(_ name: String, _ argument: Substring?) {
        switch name {
        case "max-age": Self.restrict(&maxAge, argument)
        case "s-maxage": Self.restrict(&sharedMaxAge, argument)
        // Without a value any staleness is accepted (RFC 9111 §5.2.1.2). A stricter value of the
        // same field stays.
        case "max-stale" where argument == nil: maxStale = min(maxStale ?? FieldList.longest, FieldList.longest)
        case "max-stale": Self.restrict(&maxStale, argument)
        case "stale-if-error": Self.restrict(&staleIfError, argument)
        case "stale-while-revalidate": Self.restrict(&staleWhileRevalidate, argument)
        // Here the larger value is the stricter one. An invalid value asks for more than any
        // response has.
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument) ?? FieldList.longest)
        case "no-store": noStore = true
        // The qualified form concerns the named fields alone. Two earlier parsers took it for the
        // unqualified one.
        case "no-cache": Self.qualify(&noCache, &noCacheFieldNames, argument)
        case "private": Self.qualify(&isPrivate, &privateFieldNames, argument)
        case "public": isPublic = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": mustUnderstand = true
        case "only-if-cached": onlyIfCached = true
        default: break
        }
    }

    private static func seconds(_ argument: Substring?) -> Int64? {
        argument.flatMap(FieldList.unquoted).flatMap { FieldList.deltaSeconds($0) }
    }

    private static func restrict(_ limit: inout Int64?, _ argument: Substring?) {
        // An invalid age counts as stale (RFC 9111 §4.2.1 encourages it).
        let seconds = Self.seconds(argument) ?? 0
        limit = min(limit ?? seconds, seconds)
    }

    /// Applies a directive that may name fields.
    ///
    /// Without valid names, or with an invalid one, it applies to the whole response.
    private static func qualify(_ whole: inout Bool, _ fields: inout [String], _ argument: Substring?) {
        let names = argument.flatMap(FieldList.unquoted).map { FieldList.members($0) } ?? []
        let valid = names.filter(FieldList.isToken)
        // If one name can't be read, the origin may have meant any field.
        if valid.isEmpty || valid.count < names.count { whole = true }
        fields += valid.map(String.init)
    }
}
