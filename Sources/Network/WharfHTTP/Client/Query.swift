internal import WharfCore
internal import WharfPrimitives

/// One name of a query, with or without a value.
public struct QueryItem: Sendable, Hashable {
    /// The name, not encoded.
    public var name: String
    /// Nil for a name by itself: `?draft`. An empty value is `?draft=`.
    public var value: String?

    /// Creates an item; a nil value stands for a name by itself.
    public init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}

/// The items of a query in order. A name may occur more than once.
///
/// ```swift
/// let query: Query = ["tag": "swift", "tag": "linux", "draft": nil]      // ?tag=swift&tag=linux&draft
/// ```
public struct Query: Sendable, Hashable {
    /// The items, in the order of the URL.
    public var items: [QueryItem]

    /// Creates a query.
    public init(_ items: [QueryItem] = []) {
        self.items = items
    }

    /// The query as it is sent, without `?`; nil if there are no items.
    ///
    /// A space is encoded as `%20` and a plus as `%2B`, so services that read `+` as a space and
    /// those that do not agree.
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
