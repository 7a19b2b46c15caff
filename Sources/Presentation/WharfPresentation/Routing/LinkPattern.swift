/// A description of links that parses values from them and prints them.
///
/// ```swift
/// LinkPath("films/popular")
/// LinkPath("film").segment(.int).path("reviews").query("page", optional: .int)
/// LinkPath("wf", hosts: "clicks.example.com").rest()
/// ```
///
/// The path and the names are case-sensitive, hosts are not. A pattern has up to eight values.
///
/// `Values` is `Void` for a pattern without values, and one of ``LinkValues1`` to ``LinkValues8``
/// for others.
public struct LinkPattern<Values: Sendable>: Sendable {
    let shape: LinkShape
    let read: @Sendable (Link) throws(RoutingError) -> Values
    let write: @Sendable (Values, inout LinkDraft) throws(RoutingError) -> Void
}

/// A pattern without values: the fixed start of a path.
public typealias LinkPath = LinkPattern<Void>

extension LinkPattern where Values == Void {
    /// Creates a pattern with the fixed start of a path.
    ///
    /// - Parameters:
    ///   - path: decoded segments, separated by slashes. The empty text is the root.
    ///   - hosts: the only hosts of the pattern, with the canonical one first. Without any, the
    ///     pattern has the hosts of its table.
    /// - Precondition: no segment is empty, `.` or `..`, and hosts are valid by RFC 3986.
    public init(_ path: String = "", hosts: String...) {
        var shape = LinkShape()
        shape.hosts = hosts.map(Link.Site.checked)
        shape.append(path: path)
        self.init(shape: shape) { _ in
        } write: { _, _ in
        }
    }
}

extension LinkPattern {
    /// Appends fixed segments to the path.
    public func path(_ path: String) -> Self {
        LinkPattern(shape: changed { $0.append(path: path) }, read: read, write: write)
    }

    /// Appends a segment that holds a value.
    public func segment<Value>(_ value: LinkValue<Value>) -> LinkPattern<LinkCaptures<Values, Value>> {
        appending(LinkField.segment(shape.parts.count, value), changed { $0.append(.value(.init(value))) })
    }

    /// Appends all remaining segments as a value, decoded. There may be none.
    ///
    /// - Precondition: no segment follows.
    public func rest() -> LinkPattern<LinkCaptures<Values, [String]>> {
        appending(LinkField.rest(from: shape.parts.count), changed { $0.append(.rest) })
    }

    /// Requires a query item with a fixed text, such as `tab=reviews`.
    public func query(_ name: String, is text: String) -> Self {
        let field = LinkField<Void>.query(name, is: text)
        return LinkPattern(shape: changed { $0.append(.init(name: name, content: .text(text))) }) {
            [read] link throws(RoutingError) in
            try field.read(link)
            return try read(link)
        } write: { [write] values, draft throws(RoutingError) in
            try write(values, &draft)
            try field.write((), &draft)
        }
    }

    /// Requires a query item that holds a value.
    public func query<Value>(
        _ name: String, _ value: LinkValue<Value>
    ) -> LinkPattern<LinkCaptures<Values, Value>> {
        appending(
            LinkField.query(name, value), changed { $0.append(.init(name: name, content: .required(.init(value)))) })
    }

    /// Appends an optional query item that holds a value.
    public func query<Value>(
        _ name: String, optional value: LinkValue<Value>
    ) -> LinkPattern<LinkCaptures<Values, Value?>> {
        appending(
            LinkField.query(name, optional: value),
            changed { $0.append(.init(name: name, content: .optional(.init(value)))) })
    }

    /// Appends all query items that the pattern does not name as a value, in order.
    ///
    /// Use it for the filters of a search, for example. For such a pattern no query item is
    /// unknown.
    ///
    /// - Precondition: no other query item follows.
    public func remainingQuery() -> LinkPattern<LinkCaptures<Values, [Link.QueryItem]>> {
        appending(LinkField.remainingQuery(except: shape.names), changed { $0.takeRemainingQuery() })
    }

    private func changed(_ change: (inout LinkShape) -> Void) -> LinkShape {
        var shape = shape
        change(&shape)
        return shape
    }

    private func appending<Value>(
        _ field: LinkField<Value>, _ shape: LinkShape
    ) -> LinkPattern<LinkCaptures<Values, Value>> {
        LinkPattern<LinkCaptures<Values, Value>>(shape: shape) { [read] link throws(RoutingError) in
            LinkCaptures(try read(link), try field.read(link))
        } write: { [write] values, draft throws(RoutingError) in
            try write(values.earlier, &draft)
            try field.write(values.last, &draft)
        }
    }
}
