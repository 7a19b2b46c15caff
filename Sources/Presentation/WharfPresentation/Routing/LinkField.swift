/// One value of a pattern, with its parser and its printer.
struct LinkField<Value: Sendable>: Sendable {
    let read: @Sendable (Link) throws(RoutingError) -> Value
    let write: @Sendable (Value, inout LinkDraft) throws(RoutingError) -> Void
}

extension LinkField {
    /// - Parameter index: the index of an existing segment. The shape has compared the segment
    ///   count.
    static func segment(_ index: Int, _ value: LinkValue<Value>) -> Self {
        LinkField { link throws(RoutingError) in
            guard let read = value.parse(link.path[index]) else {
                throw RoutingError(
                    .invalidValue,
                    message: "expected \(value.expected) as part \(index + 1) of the path, "
                        + "found \"\(link.path[index])\" in \(link.redacted)")
            }
            return read
        } write: { new, draft throws(RoutingError) in
            draft.path[index] = try value.print(new).asSegment(value.expected, index)
        }
    }

    static func query(_ name: String, _ value: LinkValue<Value>) -> Self {
        LinkField { link throws(RoutingError) in
            guard let text = try link.text(of: name) else { throw .missing(value.expected, name, link) }
            return try value.read(text, under: name, in: link)
        } write: { new, draft throws(RoutingError) in
            draft.query.append(Link.QueryItem(name, value.print(new)))
        }
    }

    static func query<Wrapped: Sendable>(
        _ name: String, optional value: LinkValue<Wrapped>
    ) -> Self where Value == Wrapped? {
        LinkField { link throws(RoutingError) in
            guard let text = try link.text(of: name) else { return nil }
            return try value.read(text, under: name, in: link)
        } write: { new, draft throws(RoutingError) in
            if let new { draft.query.append(Link.QueryItem(name, value.print(new))) }
        }
    }
}

extension LinkField<[String]> {
    static func rest(from index: Int) -> Self {
        LinkField { link in
            Array(link.path[index...])
        } write: { segments, draft throws(RoutingError) in
            for segment in segments {
                draft.path.append(try segment.asSegment("a text", draft.path.count))
            }
        }
    }
}

extension LinkField<[Link.QueryItem]> {
    /// - Parameter names: the items that the pattern reads by name.
    static func remainingQuery(except names: [String]) -> Self {
        LinkField { link in
            link.query.filter { !names.contains($0.name) }
        } write: { items, draft throws(RoutingError) in
            // The parser drops an item without name and value, as in "?&a".
            if let lost = items.first(where: { names.contains($0.name) || ($0.name.isEmpty && $0.value == nil) }) {
                throw RoutingError(
                    .unprintable,
                    message: "the query item \"\(lost.name)\" can't be printed as one of the remaining items, because "
                        + "it would be read as another value; give it a name that the pattern does not use")
            }
            draft.query += items
        }
    }
}

extension LinkField<Void> {
    static func query(_ name: String, is expected: String) -> Self {
        LinkField { link throws(RoutingError) in
            guard let text = try link.text(of: name) else { throw .missing("\"\(expected)\"", name, link) }
            guard text == expected else { throw .invalid("\"\(expected)\"", name, link) }
        } write: { _, draft in
            draft.query.append(Link.QueryItem(name, expected))
        }
    }
}

extension String {
    /// Returns the text as a path segment.
    ///
    /// - Throws: ``RoutingError/Code/unprintable`` for a text that normalisation removes from a
    ///   path.
    fileprivate func asSegment(_ expected: String, _ index: Int) throws(RoutingError) -> String {
        // RFC 3986 §5.2.4: clients and servers remove dot segments, even escaped ones.
        guard !["", ".", ".."].contains(self) else {
            throw RoutingError(
                .unprintable,
                message: "expected \(expected) as part \(index + 1) of a path, found \"\(self)\", "
                    + "which a URL loses; put the value into the query, or leave such values out")
        }
        return self
    }
}

extension Link {
    /// Returns the text of an item that may occur once. A name without a value gives an empty text.
    fileprivate func text(of name: String) throws(RoutingError) -> String? {
        let items = query.filter { $0.name == name }
        // Two readers could take different ones. So a repeated value is refused.
        guard items.count < 2 else {
            throw RoutingError(
                .repeatedQuery,
                message: "expected \"\(name)\" once in the query, found it \(items.count) times in \(redacted)")
        }
        return items.first.map { $0.value ?? "" }
    }
}

extension LinkValue {
    fileprivate func read(_ text: String, under name: String, in link: Link) throws(RoutingError) -> Value {
        guard let value = parse(text) else { throw .invalid(expected, name, link) }
        return value
    }
}

extension RoutingError {
    fileprivate static func missing(_ expected: String, _ name: String, _ link: Link) -> RoutingError {
        RoutingError(
            .missingQuery,
            message: "expected \(expected) under \"\(name)\" in the query, found none in \(link.redacted)")
    }

    fileprivate static func invalid(_ expected: String, _ name: String, _ link: Link) -> RoutingError {
        RoutingError(
            .invalidValue,
            message: "expected \(expected) under \"\(name)\" in the query, found another value in \(link.redacted)")
    }
}
