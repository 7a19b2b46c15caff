public import WharfCore

extension Repository {
    /// Returns a list that is loaded page by page; see ``PagedList``.
    ///
    /// The source has to give pages (``WharfCore/RemoteSource/paged(_:)``). With a store, pages are
    /// kept as they were read. So they come back after a restart, as they are asked for. Without a
    /// source, the list is a query over the store, and follows every change there.
    ///
    /// - Parameters:
    ///   - query: its limit is that of the whole list.
    ///   - size: the number of items that one request asks for.
    ///   - cap: the most items to hold. Beyond it, whole pages are let go at the end away from the
    ///     newest page.
    ///   - policy: how the list begins; nil for ``WharfCore/ReadPolicy/cacheThenNetwork``.
    public func pages(
        of query: EntityQuery<Model> = EntityQuery(), size: Int, keeping cap: Int? = nil, policy: ReadPolicy? = nil
    ) -> PagedList<Model> {
        // A query over the store asks for one item more than the size.
        let size = min(max(1, size), .max - 1)
        return pagedLists.list(
            .init(query: query, size: size, cap: cap, policy: policy ?? .cacheThenNetwork), of: self)
    }
}

extension ReadFailure {
    static let noPages = ReadFailure(
        .unsupported,
        message: "the source of this repository gives no pages; make it one that does by `paged`")
}
