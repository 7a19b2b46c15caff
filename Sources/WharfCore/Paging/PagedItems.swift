/// What is loaded of a list that comes by pages.
public struct PagedItems<Model: Identifiable & Sendable>: Sendable {
    /// In the order of the pages. Each entity once, at its first place.
    public let items: [Model]
    /// Whether there is more behind these, or was when they were read.
    public let hasMore: Bool
    /// Whether there are pages before these that were let go of, to keep no more than was asked
    /// for.
    public let hasEarlier: Bool
    /// Whether a page is on its way because more was asked for.
    public let isLoadingMore: Bool

    public init(items: [Model], hasMore: Bool = false, hasEarlier: Bool = false, isLoadingMore: Bool = false) {
        self.items = items
        self.hasMore = hasMore
        self.hasEarlier = hasEarlier
        self.isLoadingMore = isLoadingMore
    }
}

extension PagedItems: Equatable where Model: Equatable {}
