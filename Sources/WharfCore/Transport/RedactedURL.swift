extension HTTPRequest {
    /// Method and URL, fit for messages and logs: without user info, and with the values of a query replaced, as they are where
    /// keys and tokens hide.
    ///
    /// - Parameter names: query names whose values may be shown.
    package func redacted(showing names: Set<String> = []) -> String { "\(method) \(redactedURL(showing: names))" }

    package func redactedURL(showing names: Set<String> = []) -> String {
        let host = (authority ?? "").split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let path = path ?? "/"
        let start = "\(scheme ?? "http")://\(host)"
        guard let mark = path.firstIndex(of: "?") else { return start + path }
        let items = path[path.index(after: mark)...].split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            if names.contains(String(name)) { return String(item) }
            // A token may stand by itself, without a name.
            return name.endIndex == item.endIndex ? "***" : "\(name)=***"
        }
        return start + path[...mark] + items.joined(separator: "&")
    }
}
