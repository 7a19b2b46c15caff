/// The link of some routes of a table, in both directions.
public struct RouteLink<R: Route>: Sendable {
    /// Nil where a value stands.
    let segments: [String?]
    /// Of the query items that it knows.
    let names: [String]
    let parse: @Sendable (Link) throws(RoutingError) -> R
    /// Nil for a route that has another link.
    let print: @Sendable (R) throws(RoutingError) -> LinkDraft?

    init(
        segments: [String?], names: [String], parse: @escaping @Sendable (Link) throws(RoutingError) -> R,
        print: @escaping @Sendable (R) throws(RoutingError) -> LinkDraft?
    ) {
        self.segments = segments
        self.names = names
        self.parse = parse
        self.print = print
    }

    /// Whether the parts of the path that are always the same are there. No part is empty.
    func hasPath(of link: Link) -> Bool {
        link.path.count == segments.count
            && zip(link.path, segments).allSatisfy { found, expected in
                !found.isEmpty && (expected == nil || found == expected)
            }
    }
}
