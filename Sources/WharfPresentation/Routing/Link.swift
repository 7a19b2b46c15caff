internal import WharfCore
internal import WharfPrimitives

/// A URL as what it means: two spellings of one link are equal, and are printed the same.
///
/// Normalised are the case of scheme and host, default ports, escapes and dot segments (RFC 3986
/// §6.2.2, §6.2.3), a slash at the end, `+` for a space in the query, and empty query items. The
/// order of query items stays. Texts are equal as `String`s are: an é of one scalar is one of two,
/// and each is printed as it is.
public struct Link: Hashable, Sendable {
    public struct QueryItem: Hashable, Sendable {
        public var name: String
        /// Nil for a name by itself, without `=`.
        public var value: String?

        public init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// Where a link goes to.
    public struct Site: Hashable, Sendable, CustomStringConvertible {
        /// In lower case; an IPv6 address in brackets.
        public let host: String
        /// Nil for the default port of http and https.
        public let port: UInt16?

        public var description: String { port.map { "\(host):\($0)" } ?? host }
    }

    /// In lower case.
    public let scheme: String
    /// Nil where there is none, or an empty one.
    public let site: Site?
    /// The segments, decoded: a `/` inside of one was escaped. A slash at the end adds none.
    public let path: [String]
    /// Decoded, in their order.
    public let query: [QueryItem]
    /// Decoded. No part of what a link leads to.
    public let fragment: String?

    init(scheme: String, site: Site?, path: [String], query: [QueryItem], fragment: String? = nil) {
        self.scheme = scheme
        self.site = site
        self.path = path
        self.query = query
        self.fragment = fragment
    }
}

/// The canonical URL: everything but what is unreserved (RFC 3986 §2.3) is encoded, once.
extension Link: CustomStringConvertible {
    public var description: String {
        // The slash at the end of a path counts for nothing, unless an empty segment is before it.
        let slash = path.isEmpty || path.last == "" ? "/" : ""
        let path = path.map { "/" + PercentEncoding.data($0) }.joined() + slash
        let query = query.map { item in
            PercentEncoding.data(item.name) + (item.value.map { "=" + PercentEncoding.data($0) } ?? "")
        }
        return "\(scheme)://\(site?.description ?? "")\(path)"
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            + (fragment.map { "#" + PercentEncoding.data($0) } ?? "")
    }

    /// For messages: without the values of the query, and without the fragment, where tokens hide.
    var redacted: String {
        Link(scheme: scheme, site: site, path: path, query: query.map { QueryItem($0.name, nil) }).description
    }
}
