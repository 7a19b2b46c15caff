public import WharfCore

extension Repository {
    /// A list that comes by pages; see ``PagedList``.
    ///
    /// The source has to give pages (``WharfCore/RemoteSource/paged(_:)``). With a store, pages are
    /// kept as they were read, so they come back after a restart as they are asked for. Without a
    /// source it is a query over the store, and follows every change there.
    ///
    /// - Parameters:
    ///   - query: its limit is that of the whole list.
    ///   - size: how many items one request asks for.
    ///   - cap: with more items than this, whole pages are let go at the end away from the newest
    ///     page.
    ///   - policy: how it begins; nil for ``WharfCore/ReadPolicy/cacheThenNetwork``.
    public func pages(
        of query: EntityQuery<Model> = EntityQuery(), size: Int, keeping cap: Int? = nil, policy: ReadPolicy? = nil
    ) -> PagedList<Model> {
        // One more than the size is asked for.
        let size = min(max(1, size), .max - 1)
        return pagedLists.list(
            .init(query: query, size: size, cap: cap, policy: policy ?? .cacheThenNetwork), of: self)
    }
}

extension ReadFailure {
    static let noPages = ReadFailure(
        .unsupported,
        message: "expected a source that gives pages, but this one does not; make it one by `paged`")
}
