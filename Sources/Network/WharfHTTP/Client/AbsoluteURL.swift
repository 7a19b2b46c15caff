internal import WharfCore
internal import WharfPrimitives

/// An absolute URL in its parts, checked and percent-encoded (RFC 3986 §3).
///
/// It is no full parser. A URL with user info is refused, and a fragment is dropped, because
/// neither has a meaning in a request.
struct AbsoluteURL: Sendable, Hashable {
    /// `http`, `https` or `file`, in lower case.
    let scheme: String
    /// The host in lower case, and the port if it is not the default of the scheme; empty for
    /// `file`.
    let authority: String
    /// Empty, or with a leading slash.
    let path: String
    let query: String?

    /// - Throws: ``ReadFailure/Code/invalidRequest``. No message repeats user info or the query,
    ///   which may hold secrets.
    init(_ text: String) throws(ReadFailure) {
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
            throw .invalidURL("expected an absolute URL such as https://api.example.com, found no scheme")
        }
        scheme = text[..<colon].lowercased()
        guard ["http", "https", "file"].contains(scheme) else {
            throw .invalidURL("expected a URL of the scheme http, https or file, found the scheme \"\(scheme)\"")
        }
        var rest = text[text.index(after: colon)...]
        // The fragment goes first: it may contain `?` and `/`.
        if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
        // The query goes before the authority: it may contain `//` and `@`.
        query = rest.firstIndex(of: "?").map { PercentEncoding.query(String(rest[rest.index(after: $0)...])) }
        rest = rest.prefix { $0 != "?" }
        var found: Substring = ""
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            found = rest.prefix { $0 != "/" }
            rest = rest.dropFirst(found.count)
        }
        authority = try Self.authority(found, scheme)
        // This check comes after that of the authority, which refuses user info: its message quotes
        // the text before the query and would print a password.
        if let escape = InvalidEscape(in: text.prefix { $0 != "#" }) { throw .invalidURL(escape.message) }
        path = PercentEncoding.path(String(rest))
        if scheme == "file", !path.hasPrefix("/") {
            throw .invalidURL("expected a file URL with an absolute path, such as file:///tmp/data")
        }
    }

    /// Returns whether both URLs have one origin (RFC 6454 §4). A file URL has none.
    func hasSameOrigin(as other: AbsoluteURL) -> Bool {
        scheme != "file" && scheme == other.scheme && authority == other.authority
    }

    private static func authority(_ text: Substring, _ scheme: String) throws(ReadFailure) -> String {
        guard !text.contains("@") else {
            throw .invalidURL(
                "expected no user name or password in the URL (RFC 9110 §4.2.4 deprecates them), found some; "
                    + "send an Authorization field in their place"
            )
        }
        if scheme == "file" {
            guard text.isEmpty || text.lowercased() == "localhost" else {
                throw .invalidURL("expected a file on this machine, found the host \"\(text)\"")
            }
            return ""
        }
        let (host, port) = try split(text)
        // The default port is left out, so equal origins have equal authorities (RFC 9110 §4.2.3).
        guard let port, port != (scheme == "https" ? 443 : 80) else { return host }
        return "\(host):\(port)"
    }

    private static func split(_ text: Substring) throws(ReadFailure) -> (host: String, port: UInt16?) {
        var host = text
        var port: Substring = ""
        // An IPv6 address contains colons, so the port begins after its bracket.
        if let bracket = text.lastIndex(of: "]") {
            host = text[...bracket]
            port = text[bracket...].dropFirst()
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[colon...]
        }
        try check(host: host)
        guard !port.isEmpty else { return (host.lowercased(), nil) }
        let digits = port.dropFirst()
        guard port.first == ":", digits.utf8.allSatisfy(OctetSet.digits.contains) else {
            throw .invalidURL("expected a port number after the host, found \"\(digits)\"")
        }
        // A colon without digits means the default port (RFC 3986 §3.2.3).
        if digits.isEmpty { return (host.lowercased(), nil) }
        guard let number = UInt16(digits) else {
            throw .invalidURL("expected a port up to 65535, found \(digits)")
        }
        return (host.lowercased(), number)
    }

    private static func check(host: Substring) throws(ReadFailure) {
        guard !host.isEmpty else { throw .invalidURL("expected a host, found none") }
        guard host.utf8.allSatisfy({ $0 < 128 }) else {
            throw .invalidURL(
                "expected a host in ASCII, found \"\(host)\"; write an international name as it is registered (xn--...)"
            )
        }
        if host.hasPrefix("[") {
            let inside = host.dropFirst().dropLast()
            guard host.hasSuffix("]"), inside.contains(":"),
                inside.utf8.allSatisfy(OctetSet.ipv6Address.contains)
            else { throw .invalidURL("expected an IPv6 address in brackets, found \"\(host)\"") }
            return
        }
        guard host.utf8.allSatisfy(OctetSet.hostName.contains) else {
            throw .invalidURL("expected a host name or address, found \"\(host)\"")
        }
    }
}

extension ReadFailure {
    static func invalidURL(_ message: String) -> ReadFailure { ReadFailure(.invalidRequest, message: message) }
}
