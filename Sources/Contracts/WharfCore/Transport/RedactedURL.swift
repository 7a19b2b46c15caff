extension HTTPRequest {
    /// Returns method and URL for messages and logs.
    ///
    /// It has no user info, and the values of the query are replaced, since they may be keys or
    /// tokens.
    ///
    /// - Parameter names: query names whose values may be shown.
    package func redacted(showing names: Set<String> = []) -> String { "\(method) \(redactedURL(showing: names))" }

    /// Returns the URL for messages and logs; see ``redacted(showing:)``.
    package func redactedURL(showing names: Set<String> = []) -> String {
        RedactedURL.text("\(scheme ?? "http")://\(authority ?? "")\(path ?? "/")", showing: names)
    }
}

/// The redaction of URLs for messages and logs.
package enum RedactedURL {
    /// Returns a URL or URL reference without secrets.
    ///
    /// User info and fragment are removed, and the values of the query are replaced.
    ///
    /// - Parameter names: query names whose values may be shown.
    package static func text(_ url: String, showing names: Set<String> = []) -> String {
        // A fragment may be a token (RFC 6749 §4.2.2).
        let url = url.prefix { $0 != "#" }
        guard let mark = url.firstIndex(of: "?") else { return withoutUserInfo(url) }
        let items = url[url.index(after: mark)...].split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            if names.contains(String(name)) { return String(item) }
            // A token may be an item without a name.
            return name.endIndex == item.endIndex ? "***" : "\(name)=***"
        }
        return withoutUserInfo(url[..<mark]) + "?" + items.joined(separator: "&")
    }

    private static func withoutUserInfo(_ url: Substring) -> String {
        // The authority is after the scheme or at the beginning (RFC 3986 §4.2). A path may contain
        // "//" and "@" too.
        guard let slashes = url.firstRange(of: "//"), !url[..<slashes.lowerBound].contains("/") else {
            return String(url)
        }
        let start = slashes.upperBound
        let end = url[start...].firstIndex(of: "/") ?? url.endIndex
        // The last one: a password may have an unescaped "@".
        guard let at = url[start..<end].lastIndex(of: "@") else { return String(url) }
        return String(url[..<start] + url[url.index(after: at)...])
    }
}
