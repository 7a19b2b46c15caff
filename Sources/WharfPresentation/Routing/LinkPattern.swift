/// A link's description with values in it: it reads them from a link and prints them to one.
public struct LinkPattern<each Value: Sendable>: Sendable {
    /// Nil where a value stands.
    let segments: [String?]
    /// Of the query.
    let names: [String]
    let fields: (repeat LinkField<each Value>)

    init(segments: [String?], names: [String], fields: repeat LinkField<each Value>) {
        self.segments = segments
        self.names = names
        self.fields = (repeat each fields)
    }

    /// More parts of the path that are always the same.
    public func path(_ path: String) -> Self {
        LinkPattern(segments: segments + LinkPath.segments(path), names: names, fields: repeat each fields)
    }

    /// A value as the next part of the path.
    public func segment<Next>(_ value: LinkValue<Next>) -> LinkPattern<repeat each Value, Next> {
        LinkPattern<repeat each Value, Next>(
            segments: segments + [nil], names: names, fields: repeat each fields,
            LinkField<Next>.segment(segments.count, value))
    }

    /// A value that has to be in the query.
    public func query<Next>(_ name: String, _ value: LinkValue<Next>) -> LinkPattern<repeat each Value, Next> {
        with(name, LinkField<Next>.query(name, value))
    }

    /// A value that may be in the query.
    public func query<Next>(
        _ name: String, optional value: LinkValue<Next>
    ) -> LinkPattern<repeat each Value, Next?> {
        with(name, LinkField<Next?>.query(name, optional: value))
    }

    /// The link of the routes that have these values.
    ///
    /// - Parameters:
    ///   - make: a route of the values, such as a case of an enum.
    ///   - values: those of a route; nil for a route that has another link.
    public func route<R: Route>(
        _ make: @escaping @Sendable (repeat each Value) -> R,
        values: @escaping @Sendable (R) -> (repeat each Value)?
    ) -> RouteLink<R> {
        RouteLink(segments: segments, names: names) { [fields] link throws(RoutingError) in
            make(repeat try (each fields).read(link))
        } print: { [fields, segments] route throws(RoutingError) in
            guard let values = values(route) else { return nil }
            var draft = LinkDraft(path: segments.map { $0 ?? "" })
            repeat try (each fields).write(each values, &draft)
            return draft
        }
    }

    private func with<Next>(_ name: String, _ field: LinkField<Next>) -> LinkPattern<repeat each Value, Next> {
        precondition(
            !names.contains(name), "expected each name of a query once in a pattern, found \"\(name)\" again")
        return LinkPattern<repeat each Value, Next>(
            segments: segments, names: names + [name], fields: repeat each fields, field)
    }
}
