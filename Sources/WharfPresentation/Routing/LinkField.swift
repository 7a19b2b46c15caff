/// What a route is printed to, before scheme and host.
struct LinkDraft {
    var path: [String]
    var query: [Link.QueryItem] = []
}

/// One value of a pattern: where it stands, read and printed by the same description.
struct LinkField<Value: Sendable>: Sendable {
    let read: @Sendable (Link) throws(RoutingError) -> Value
    let write: @Sendable (Value, inout LinkDraft) throws(RoutingError) -> Void
}

extension LinkField {
    /// - Parameter index: of a segment that is there: the pattern has compared the number of segments.
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
            let text = value.print(new)
            // RFC 3986 §5.2.4: dots would be removed on the way, also when they are escaped.
            guard !["", ".", ".."].contains(text) else {
                throw RoutingError(
                    .unprintable,
                    message: "expected \(value.expected) that can be part \(index + 1) of a path, found \"\(text)\", "
                        + "which a URL loses; put the value into the query, or leave such values out")
            }
            draft.path[index] = text
        }
    }

    static func query(_ name: String, _ value: LinkValue<Value>) -> Self {
        LinkField { link throws(RoutingError) in
            guard let text = try link.text(of: name) else {
                throw RoutingError(
                    .missingQuery,
                    message: "expected \(value.expected) under \"\(name)\" in the query, found none in \(link.redacted)"
                )
            }
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

extension Link {
    /// A name by itself is an empty text.
    fileprivate func text(of name: String) throws(RoutingError) -> String? {
        let items = query.filter { $0.name == name }
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
        guard let value = parse(text) else {
            throw RoutingError(
                .invalidValue,
                message: "expected \(expected) under \"\(name)\" in the query, found something else in \(link.redacted)"
            )
        }
        return value
    }
}
