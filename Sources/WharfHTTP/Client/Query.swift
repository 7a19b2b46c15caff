internal import WharfCore
internal import WharfPrimitives

/// One name of a query, with a value or without.
public struct QueryItem: Sendable, Hashable {
    public var name: String
    /// Nil for a name by itself: `?draft`. An empty value is `?draft=`.
    public var value: String?

    public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}

/// The items of a query in their order; a name may come more than once.
///
/// ```swift
/// let query: Query = ["tag": "swift", "tag": "linux", "draft": nil]      // ?tag=swift&tag=linux&draft
/// ```
public struct Query: Sendable, Hashable {
    public var items: [QueryItem]

    public init(_ items: [QueryItem] = []) {
        self.items = items
    }

    /// As it goes on the wire, without `?`; nil when there are no items. A space is `%20`, never
    /// `+`, and a plus is `%2B`: both readings of `+` then agree.
    public var encoded: String? {
        guard !items.isEmpty else { return nil }
        let pairs = items.map { item in
            let name = PercentEncoding.data(item.name)
            return item.value.map { "\(name)=\(PercentEncoding.data($0))" } ?? name
        }
        return pairs.joined(separator: "&")
    }
}

extension Query: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String?)...) {
        self.init(elements.map { QueryItem($0.0, $0.1) })
    }
}

extension Query: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: QueryItem...) {
        self.init(elements)
    }
}
