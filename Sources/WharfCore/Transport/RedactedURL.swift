extension HTTPRequest {
    /// Method and URL, fit for messages and logs: without user info, and with the values of a query
    /// replaced, as they are where keys and tokens hide.
    ///
    /// - Parameter names: query names whose values may be shown.
    package func redacted(showing names: Set<String> = []) -> String { "\(method) \(redactedURL(showing: names))" }

    package func redactedURL(showing names: Set<String> = []) -> String {
        RedactedURL.text("\(scheme ?? "http")://\(authority ?? "")\(path ?? "/")", showing: names)
    }
}

/// URLs that are fit for messages and logs.
package enum RedactedURL {
    /// A URL, or a reference to one, without user info and fragment, and with the values of its
    /// query replaced.
    ///
    /// - Parameter names: query names whose values may be shown.
    package static func text(_ url: String, showing names: Set<String> = []) -> String {
        let url = url.prefix { $0 != "#" }
        guard let mark = url.firstIndex(of: "?") else { return withoutUserInfo(url) }
        let items = url[url.index(after: mark)...].split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            if names.contains(String(name)) { return String(item) }
            // A token may stand by itself, without a name.
            return name.endIndex == item.endIndex ? "***" : "\(name)=***"
        }
        return withoutUserInfo(url[..<mark]) + "?" + items.joined(separator: "&")
    }

    private static func withoutUserInfo(_ url: Substring) -> String {
        // An authority stands behind the scheme or at the beginning (RFC 3986 §4.2); a path may
        // hold "//" and "@" as well.
        guard let slashes = url.firstRange(of: "//"), !url[..<slashes.lowerBound].contains("/") else {
            return String(url)
        }
        let start = slashes.upperBound
        let end = url[start...].firstIndex(of: "/") ?? url.endIndex
        guard let at = url[start..<end].lastIndex(of: "@") else { return String(url) }
        return String(url[..<start] + url[url.index(after: at)...])
    }
}
