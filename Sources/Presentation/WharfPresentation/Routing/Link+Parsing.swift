extension Link {
    /// Parses an absolute URL (RFC 3986 §3). Unescaped non-ASCII characters are allowed.
    ///
    /// - Throws: ``RoutingError`` with the place of the mistake. User info (`user@host`) is
    ///   refused, because it serves to deceive users (RFC 3986 §7.6).
    public init(_ text: String) throws(RoutingError) {
        var rest = LinkText(text)
        try rest.refuseSpaces()
        scheme = try rest.takeScheme()
        var authority = rest.takeAuthority()
        let path = rest.take(until: "?", "#")
        let query = rest.takeIf("?") ? rest.take(until: "#") : nil
        fragment = rest.takeIf("#") ? try rest.decoded() : nil

        // After the path, query and fragment are cut off: an `@` or `:` in them does not belong to
        // the host.
        site = try authority?.site(of: scheme)
        // Split before decoding, since an escaped `/` belongs to its segment.
        self.path = Self.removingDots(try path.split("/").map { segment throws(RoutingError) in try segment.decoded() })
        self.query = try (query?.split("&") ?? []).filter { !$0.isEmpty }.map { item throws(RoutingError) in
            var value = item
            // The first `=` divides. Later ones belong to the value.
            let name = try value.take(until: "=").decoded(plusIsSpace: true)
            return QueryItem(name, value.takeIf("=") ? try value.decoded(plusIsSpace: true) : nil)
        }
    }

    /// Returns the segments of a path, without the slashes at its start and end.
    ///
    /// Dot segments are removed (RFC 3986 §5.2.4), including escaped ones, which are equivalent
    /// (§2.3).
    private static func removingDots(_ segments: [String]) -> [String] {
        var path: [String] = []
        // The first segment is empty if the path starts with a slash. A path such as that of
        // app:film/42 does not.
        for segment in segments.first == "" ? segments.dropFirst() : segments[...] {
            switch segment {
            case ".": break
            case "..": _ = path.popLast()
            default: path.append(segment)
            }
        }
        // A trailing dot segment leaves a slash behind, so here an empty segment stands for that
        // slash.
        if segments.last == "", path.last == "" { path.removeLast() }
        return path
    }
}
