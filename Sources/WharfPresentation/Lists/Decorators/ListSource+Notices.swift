public import WharfCore

extension ListSource {
    /// Adds a row of its own. The same twice are two rows.
    ///
    /// - Parameter notice: nil for none.
    public func notice(_ notice: ListNotice?, at edge: NoticedList<Self>.Edge = .top) -> NoticedList<Self> {
        NoticedList(self, notice: notice, at: edge)
    }

    /// Says that there are no elements, below whatever else is said. Nothing as long as it is not
    /// known whether there are any.
    public func placeholder(_ text: String) -> NoticedList<Self> {
        notice(isKnown && !hasElements ? ListNotice(.placeholder, text) : nil, at: .bottom)
    }

    /// Says above the list that rows are being fetched, or will be when there is a network.
    ///
    /// - Parameter text: what to say; nil for nothing. Not asked for ``FetchStatus/idle``.
    public func loading(_ fetch: FetchStatus, text: (FetchStatus) -> String?) -> NoticedList<Self> {
        notice(fetch == .idle ? nil : text(fetch).map { ListNotice(.loading, $0) })
    }

    /// Says above the list how old it is and why.
    ///
    /// - Parameters:
    ///   - snapshot: from which the rows are.
    ///   - text: what to say; nil for nothing. Not asked for what is fresh, see ``Staleness``.
    public func staleBanner<Value>(
        of snapshot: Snapshot<Value>, at now: WallTime, text: (Staleness) -> String?
    ) -> NoticedList<Self> {
        notice(Staleness(snapshot, at: now).flatMap(text).map { ListNotice(.stale, $0) })
    }
}
