internal import WharfCore
internal import WharfPrimitives

/// A URL in normal form: two spellings of one link are equal, and print the same.
///
/// Normalised are:
///
/// - the case of scheme and host, default ports, escapes and dot segments (RFC 3986 §6.2.2, §6.2.3)
/// - a slash at the end
/// - `+` for a space in the query
/// - empty query items
///
/// The order of query items stays. Texts compare as `String`s: an é of one scalar equals an é of
/// two. Each is printed as it was.
public struct Link: Hashable, Sendable {
    /// A name in the query with its optional value.
    public struct QueryItem: Hashable, Sendable {
        /// The decoded name.
        public var name: String
        /// The decoded value; nil for a name without `=`.
        public var value: String?

        /// Creates an item from decoded texts.
        public init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// The host and port of a link.
    public struct Site: Hashable, Sendable, CustomStringConvertible {
        /// The host in lower case; an IPv6 address is in brackets.
        public let host: String
        /// The port; nil for the default port of http and https.
        public let port: UInt16?

        public var description: String { port.map { "\(host):\($0)" } ?? host }
    }

    /// The scheme in lower case.
    public let scheme: String
    /// The host and port; nil if the authority is missing or empty.
    public let site: Site?
    /// The decoded segments. A `/` in a segment was escaped. A slash at the end adds no segment.
    public let path: [String]
    /// The decoded query items, in order.
    public let query: [QueryItem]
    /// The decoded fragment. It has no influence on the route.
    public let fragment: String?

    init(scheme: String, site: Site?, path: [String], query: [QueryItem], fragment: String? = nil) {
        self.scheme = scheme
        self.site = site
        self.path = path
        self.query = query
        self.fragment = fragment
    }
}

/// The canonical URL. It encodes all but unreserved characters once (RFC 3986 §2.3).
extension Link: CustomStringConvertible {
    public var description: String {
        // A slash at the end of a path has no meaning, unless an empty segment precedes it.
        let slash = path.isEmpty || path.last == "" ? "/" : ""
        let path = path.map { "/" + PercentEncoding.data($0) }.joined() + slash
        let query = query.map { item in
            PercentEncoding.data(item.name) + (item.value.map { "=" + PercentEncoding.data($0) } ?? "")
        }
        return "\(scheme)://\(site?.description ?? "")\(path)"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            + (fragment.map { "#" + PercentEncoding.data($0) } ?? "")
    }

    /// The link for messages, without query values and fragment.
    ///
    /// These may hold tokens.
    var redacted: String {
        Link(scheme: scheme, site: site, path: path, query: query.map { QueryItem($0.name, nil) }).description
    }
}
