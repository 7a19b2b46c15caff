/// The loaded part of a paged list.
public struct PagedItems<Model: Identifiable & Sendable>: Sendable {
    /// The loaded items in the order of the pages. An entity occurs once, at its first position.
    public let items: [Model]
    /// Whether there were more items after these when they were read.
    public let hasMore: Bool
    /// Whether earlier pages were dropped to stay within the limit of loaded items.
    public let hasEarlier: Bool
    /// Whether the next page is being loaded.
    public let isLoadingMore: Bool

    /// Creates the loaded part of a list.
    public init(items: [Model], hasMore: Bool = false, hasEarlier: Bool = false, isLoadingMore: Bool = false) {
        self.items = items
        self.hasMore = hasMore
        self.hasEarlier = hasEarlier
        self.isLoadingMore = isLoadingMore
    }
}

extension PagedItems: Equatable where Model: Equatable {}
