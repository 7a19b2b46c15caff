/// A page of a list in the order of its source, with the token of the next page.
public struct Page<Model: Sendable>: Sendable {
    /// The items of the page.
    public let items: [Model]
    /// The token of the next page; nil for the last page.
    ///
    /// An empty page with a token is not the last one.
    public let next: PageToken?

    /// Creates a page. `next` is nil for the last page.
    public init(_ items: [Model], next: PageToken?) {
        self.items = items
        self.next = next
    }
}

extension Page: Equatable where Model: Equatable {}

/// A request for one page of a list.
public struct PageQuery<Model>: Hashable, Sendable {
    /// The query of the whole list. Its limit counts for the reader, not for the source.
    public let query: EntityQuery<Model>
    /// The number of items that a page should have. A source may return fewer or more.
    public let size: Int
    /// The ``Page/next`` of the previous page; nil for the first page.
    public let token: PageToken?

    /// Creates a request; without a token for the first page.
    public init(_ query: EntityQuery<Model> = EntityQuery(), size: Int, token: PageToken? = nil) {
        self.query = query
        self.size = size
        self.token = token
    }
}
