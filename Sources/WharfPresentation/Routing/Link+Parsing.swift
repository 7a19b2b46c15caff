extension Link {
    /// Reads an absolute URL (RFC 3986 §3), as people and programs write it: characters beyond
    /// ASCII may stand as they are.
    ///
    /// - Throws: ``RoutingError`` with the place of what is wrong. User info (`user@host`) is
    ///   refused: it is there to deceive (RFC 3986 §7.6).
    public init(_ text: String) throws(RoutingError) {
        var rest = LinkText(text)
        try rest.refuseSpaces()
        scheme = try rest.takeScheme()
        var authority = rest.takeAuthority()
        let path = rest.take(until: "?", "#")
        let query = rest.takeIf("?") ? rest.take(until: "#") : nil
        fragment = rest.takeIf("#") ? try rest.decoded() : nil

        site = try authority?.site(of: scheme)
        self.path = Self.removingDots(try path.split("/").map { segment throws(RoutingError) in try segment.decoded() })
        self.query = try (query?.split("&") ?? []).filter { !$0.isEmpty }.map { item throws(RoutingError) in
            var value = item
            let name = try value.take(until: "=").decoded(plusIsSpace: true)
            return QueryItem(name, value.takeIf("=") ? try value.decoded(plusIsSpace: true) : nil)
        }
    }

    /// The segments of a path, behind the slash that it begins with and before the one that it ends
    /// with.
    ///
    /// Dots are removed (RFC 3986 §5.2.4), also escaped ones, which mean the same (§2.3).
    private static func removingDots(_ segments: [String]) -> [String] {
        var path: [String] = []
        // What comes before the first slash is empty, but for a path without one, such as that of
        // app:film/42.
        for segment in segments.first == "" ? segments.dropFirst() : segments[...] {
            switch segment {
            case ".": break
            case "..": _ = path.popLast()
            default: path.append(segment)
            }
        }
        // A last segment of dots leaves a slash behind, so an empty segment before it is one.
        if segments.last == "", path.last == "" { path.removeLast() }
        return path
    }
}
