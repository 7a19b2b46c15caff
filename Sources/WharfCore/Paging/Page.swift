/// One page of a list, in the order of its source, and where the next one is.
public struct Page<Model: Sendable>: Sendable {
    public let items: [Model]
    /// nil: this is the last page. An empty page with a token is not the last.
    public let next: PageToken?

    public init(_ items: [Model], next: PageToken?) {
        self.items = items
        self.next = next
    }
}

extension Page: Equatable where Model: Equatable {}

/// Which page of which list is asked for.
public struct PageQuery<Model>: Hashable, Sendable {
    /// The list as a whole; its limit is the reader's business.
    public let query: EntityQuery<Model>
    /// How many items a page should have. A source may give fewer or more.
    public let size: Int
    /// What the page before gave as its ``Page/next``; nil for the first page.
    public let token: PageToken?

    public init(_ query: EntityQuery<Model> = EntityQuery(), size: Int, token: PageToken? = nil) {
        self.query = query
        self.size = size
        self.token = token
    }
}
