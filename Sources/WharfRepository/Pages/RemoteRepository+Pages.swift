public import WharfCore

extension RemoteRepository {
    /// A list that comes by pages; see ``PagedList``. Its source has to be a ``WharfCore/RemoteSource`` with pages.
    ///
    /// - Parameters:
    ///   - query: its limit is that of the whole list.
    ///   - size: how many items are asked for at once.
    ///   - cap: with more items than this, whole pages go at the end away from where one has come in.
    ///   - policy: how it begins; nil for ``WharfCore/ReadPolicy/cacheThenNetwork``.
    public func pages(
        of query: EntityQuery<Model> = EntityQuery(), size: Int, keeping cap: Int? = nil, policy: ReadPolicy? = nil
    ) -> PagedList<Model> {
        pagedLists.list(.init(query: query, size: max(1, size), cap: cap, policy: policy ?? .cacheThenNetwork))
    }
}

extension ReadFailure {
    static let noPages = ReadFailure(
        .unsupported,
        message: "expected a source that gives pages, but this one does not; make it one by `paged`")
}
