import Foundation
import Wharf

/// The URL on the command line.
struct Target: Equatable {
    /// The absolute URL, percent-encoded, without fragment.
    let url: String
    let scheme: String
    /// The host and port; nil for a file.
    let authority: String?

    init(_ text: String) throws(UsageError) {
        try Self.checkEscapes(text)
        guard let schemeEnd = text.range(of: ":"), let parsed = URLComponents(string: text) ?? Self.encoded(text) else {
            throw Self.expected(
                "found '\(Self.shown(text))'", try: text.contains(":") ? nil : "https://\(Self.shown(text))")
        }
        var components = parsed
        components.fragment = nil
        // By RFC 3986 `localhost:8080/x` has the scheme `localhost`.
        let scheme = components.scheme?.lowercased() ?? ""
        let isHierarchical = text[schemeEnd.upperBound...].hasPrefix("//")
        guard ["http", "https", "file"].contains(scheme), isHierarchical || scheme == "file" else {
            throw Self.expected(
                "found '\(Self.shown(text))'", try: isHierarchical ? nil : "http://\(Self.shown(text))")
        }
        guard components.user == nil, components.password == nil else {
            throw UsageError(
                "expected a URL without a user and password, found them before its host; send them as a field instead: "
                    + "-H 'Authorization: …'")
        }
        if scheme == "file" {
            authority = nil
        } else {
            guard let host = components.encodedHost, !host.isEmpty else {
                throw Self.expected("found no host in '\(Self.shown(text))'", try: nil)
            }
            authority = components.port.map { "\(host):\($0)" } ?? host
        }
        guard let url = components.string else {
            throw Self.expected("found '\(Self.shown(text))'", try: nil)
        }
        self.scheme = scheme
        self.url = url
    }

    /// The URL up to the path.
    var origin: String { "\(scheme)://\(authority ?? "")/" }

    /// The path and query as in a request line.
    var pathAndQuery: String {
        guard let components = URLComponents(string: url) else { return "/" }
        let path = components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
        return components.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
    }

    private static func encoded(_ text: String) -> URLComponents? {
        URL(string: text).flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
    }

    private static func expected(_ found: String, try better: String?) -> UsageError {
        UsageError("expected an absolute http, https or file URL, \(found)\(better.map { "; try \($0)" } ?? "")")
    }

    /// The path and query for messages, without the values of the query.
    var shownPathAndQuery: String { Self.shown(pathAndQuery) }

    /// Returns the text without possible passwords: user info, and the values of a query.
    static func shown(_ text: String) -> String {
        // A fragment may be a token (RFC 6749 §4.2.2).
        let text = text.prefix { $0 != "#" }
        let front = text.prefix { $0 != "?" }
        let address = front.lastIndex(of: "@").map { "…" + front[$0...] } ?? String(front)
        return address + shownQuery(text[front.endIndex...])
    }

    /// Returns a stored target without user info and the values of its query.
    ///
    /// Its syntax was checked, so an "@" after the authority is a part of its path.
    static func shown(stored target: String) -> String {
        let front = target.prefix { $0 != "?" }
        let query = shownQuery(target[front.endIndex...])
        guard let start = front.firstRange(of: "//")?.upperBound else { return String(front) + query }
        let end = front[start...].firstIndex(of: "/") ?? front.endIndex
        guard let at = front[start..<end].lastIndex(of: "@") else { return String(front) + query }
        return String(front[..<start]) + "…" + String(front[at...]) + query
    }

    /// - Parameter text: a query with its question mark; empty for none.
    private static func shownQuery(_ text: Substring) -> String {
        guard !text.isEmpty else { return "" }
        let items = text.dropFirst().split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            return name.endIndex == item.endIndex ? "***" : "\(name)=***"
        }
        return "?" + items.joined(separator: "&")
    }

    /// Refuses a `%` without two hexadecimal digits after it.
    ///
    /// `URLComponents` would encode it, and so request another resource than the written one.
    private static func checkEscapes(_ text: String) throws(UsageError) {
        let octets = Array(text.prefix { $0 != "#" }.utf8)
        for (index, octet) in octets.enumerated() where octet == UInt8(ascii: "%") {
            let digits = octets[(index + 1)...].prefix(2)
            guard digits.count < 2 || !digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { continue }
            let place = String(decoding: octets[..<index], as: UTF8.self).count + 1
            throw UsageError(
                "expected two hexadecimal digits after % at character \(place) of '\(shown(text))', found other "
                    + "characters; write %25 for a percent sign")
        }
    }
}
